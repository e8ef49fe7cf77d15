import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import {
  createServer,
  request as sendRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { createServer as createTcpServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { Client } from 'minio'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { closeServer } from '../test/infrastructure/close-server.ts'
import { s3Server, type TestBucket } from '../test/infrastructure/services.ts'
import { waitFor } from '../test/infrastructure/wait-for.ts'
import { createStorage, prepareStorage, type ObjectStorage } from './object-storage.ts'

const bytes = (text: string) => Buffer.from(text)

async function* inChunks(body: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < body.length; at += 1_000_003) yield body.subarray(at, at + 1_000_003)
}

/** Uploads that end with their test: each holds the memory of a part, of which the process has few. */
const halted: { fail: () => void; ended: Promise<void> }[] = []

/** Stores a part of an object and then nothing more, as a process that is killed in the middle of an upload. */
async function haltUpload(storage: ObjectStorage, key: string): Promise<void> {
  const { promise: hasBegun, resolve } = Promise.withResolvers<void>()
  const { promise: end, reject } = Promise.withResolvers<never>()
  async function* chunks() {
    // The first part is stored before the second one is.
    yield* inChunks(randomBytes(33 << 20))
    resolve()
    await end
  }
  const ended = storage.putStream(key, chunks(), 'a/b').catch(() => {})
  halted.push({ fail: () => reject(new Error('the test has ended')), ended })
  await hasBegun
}

afterEach(async () => {
  for (const { fail, ended } of halted.splice(0)) {
    fail()
    await ended
  }
})

function clientOf({ endpoint, region, accessKey, secretKey }: TestBucket): Client {
  const { hostname, port } = new URL(endpoint)
  const address = { endPoint: hostname, port: Number(port), useSSL: false, region }
  return new Client({ ...address, accessKey, secretKey })
}

let scratch: string

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'storage-test-'))
})
afterAll(() => rm(scratch, { recursive: true }))

const drivers = {
  folder: async () => createStorage({ driver: 'folder', dir: join(scratch, 'objects') }),
  s3: async () => createStorage(await s3Server()),
}

describe.each(Object.entries(drivers))('the %s driver', (_name, open) => {
  let storage: ObjectStorage
  beforeAll(async () => {
    storage = await open()
  })
  const put = (key: string, text: string) => storage.putBuffer(key, bytes(text), 'text/plain')
  const read = async (key: string, range?: { startByte: number; endByte: number }) => {
    const { stream, sizeBytes } = await storage.get(key, range)
    return { text: (await buffer(stream)).toString(), sizeBytes }
  }
  const keys = async (prefix: string) => {
    const found: string[] = []
    for await (const { key } of storage.list(prefix)) found.push(key)
    return found.toSorted()
  }

  it('returns the content of a stored buffer', async () => {
    await put('videos/a/poster.jpg', 'hello')
    expect(await read('videos/a/poster.jpg')).toEqual({ text: 'hello', sizeBytes: 5 })
  })

  it('returns the content of a stored file, and leaves the file', async () => {
    const path = join(scratch, 'source')
    await writeFile(path, Buffer.alloc(6 * 1024 * 1024, 7))
    await storage.putFile('videos/a/1.m4s', path, 'video/iso.segment')
    await storage.putFile('videos/a/2.m4s', path, 'video/iso.segment')
    expect((await storage.stat('videos/a/2.m4s'))?.sizeBytes).toBe(6 * 1024 * 1024)
  })

  it.each([0, 1, 16 << 20, (33 << 20) + 5])(
    'stores a stream of %d bytes as one object',
    async (size) => {
      const body = randomBytes(size)
      await storage.putStream('streams/x', inChunks(body), 'a/b')
      expect((await storage.read('streams/x', size))?.body?.equals(body)).toBe(true)
      const stored = await storage.get('streams/x', { startByte: 0, endByte: 0 }).catch(() => null)
      stored?.stream.destroy()
      expect(stored?.sizeBytes ?? 0).toBe(size)
    },
  )

  it.each([100, 20 << 20])(
    'keeps the old object, and nothing else, if a stream fails after %d bytes',
    async (size) => {
      await put('failing/x', 'old')
      async function* chunks() {
        yield* inChunks(randomBytes(size))
        expect((await read('failing/x')).text).toBe('old')
        throw new Error('the source is away')
      }
      await expect(storage.putStream('failing/x', chunks(), 'a/b')).rejects.toThrow('is away')
      expect((await read('failing/x')).text).toBe('old')
      expect(await keys('failing/')).toEqual(['failing/x'])
    },
  )

  it('reads a range with both ends included and returns the whole size', async () => {
    await put('ranges/x', '0123456789')
    expect(await read('ranges/x', { startByte: 2, endByte: 4 })).toEqual({
      text: '234',
      sizeBytes: 10,
    })
    expect((await read('ranges/x', { startByte: 0, endByte: 0 })).text).toBe('0')
    expect((await read('ranges/x', { startByte: 8, endByte: 999 })).text).toBe('89')
  })

  it('refuses a range that begins after the end, or ends before it begins', async () => {
    await put('ranges/y', '0123')
    const error = { name: 'RangeNotSatisfiableError' }
    await expect(storage.get('ranges/y', { startByte: 4, endByte: 9 })).rejects.toMatchObject(error)
    await expect(storage.get('ranges/y', { startByte: 2, endByte: 1 })).rejects.toMatchObject(error)
  })

  it('lists folders page by page, each once', async () => {
    for (const name of ['b', 'a', 'c', 'a-b', 'a.b', 'a0', 'ab'])
      for (const file of ['1/x', '2', '3']) await put(`folders/${name}/${file}`, 'x')
    await put('folders/file', 'x')
    const pages: string[][] = []
    for (let after: string | undefined = ''; after !== undefined;) {
      const page: string[] = await storage.listFolders('folders/', { after, limit: 3 })
      pages.push(page)
      after = page.at(-1)
    }
    expect(pages).toEqual([['a-b', 'a.b', 'a'], ['a0', 'ab', 'b'], ['c'], []])
    expect(await storage.listFolders('no-folders/', { after: '', limit: 3 })).toEqual([])
  })

  it('lists when each object was stored', async () => {
    const before = Date.now()
    await put('times/x', 'x')
    for await (const { modifiedAt } of storage.list('times/')) {
      // S3 rounds to a second.
      expect(modifiedAt.getTime()).toBeGreaterThan(before - 2_000)
      expect(modifiedAt.getTime()).toBeLessThan(Date.now() + 2_000)
    }
  })

  it('replaces an object and its etag', async () => {
    await put('replaced/x', 'one')
    const before = await storage.stat('replaced/x')
    await put('replaced/x', 'two two')
    const after = await storage.stat('replaced/x')
    expect(after?.sizeBytes).toBe(7)
    expect(after?.etag).not.toBe(before?.etag)
    expect(after?.etag).not.toContain('"')
    expect(Math.abs(Date.now() - (after?.modifiedAt.getTime() ?? 0))).toBeLessThan(60_000)
    expect((await read('replaced/x')).text).toBe('two two')
  })

  it('reads an object whole, with the etag of stat, or reports that it is too large', async () => {
    await put('whole/x', '0123456789')
    const facts = await storage.stat('whole/x')
    const whole = await storage.read('whole/x', 10)
    expect(whole).toEqual({ sizeBytes: 10, etag: facts?.etag, body: bytes('0123456789') })
    expect(await storage.read('whole/x', 9)).toEqual({ ...whole, body: null })
    await put('whole/empty', '')
    expect((await storage.read('whole/empty', 0))?.body).toEqual(bytes(''))
    for (const key of ['whole', 'whole/x/y', 'nowhere'])
      expect(await storage.read(key, 10)).toBeNull()
  })

  it('stores an empty object', async () => {
    await put('empty/x', '')
    expect(await read('empty/x')).toEqual({ text: '', sizeBytes: 0 })
  })

  it('returns null or throws ObjectNotFoundError for a missing object, also for a folder of objects', async () => {
    await put('there/x', 'x')
    for (const key of ['nowhere', 'there', 'there/x/y']) {
      expect(await storage.stat(key)).toBeNull()
      await expect(storage.get(key)).rejects.toMatchObject({ name: 'ObjectNotFoundError' })
    }
  })

  it('lists and deletes exactly the objects under a prefix', async () => {
    await Promise.all(['del/a/1', 'del/a/b/2', 'del/ab/3'].map((key) => put(key, 'x')))
    expect(await keys('del/')).toEqual(['del/a/1', 'del/a/b/2', 'del/ab/3'])
    expect(await storage.deletePrefix('del/a/')).toBe(2)
    expect(await keys('del/')).toEqual(['del/ab/3'])
    expect(await storage.deletePrefix('del/a/')).toBe(0)
    expect(await keys('nowhere/')).toEqual([])
    expect(await keys('')).toContain('del/ab/3')
  })

  it('deletes with a prefix objects that are not whole, and no others', async () => {
    const ids = new Map<string, string>()
    for (const key of ['parts/a/x', 'parts/ab/x'])
      ids.set(key, await storage.partial.begin(key, 'a/b'))
    expect(await storage.deletePrefix('parts/a/')).toBe(0)
    const resume = (key: string) =>
      storage.partial.resume(key, ids.get(key) ?? '', { sizeBytes: 0, mayWrite: false })
    await expect(resume('parts/a/x')).rejects.toThrow()
    expect(await resume('parts/ab/x')).toBe(ids.get('parts/ab/x'))
    await storage.deletePrefix('parts/')
  })

  it('lists and deletes more objects than one page holds', async () => {
    const numbers = Array.from({ length: 1_005 }, (_, number) => number)
    for (let start = 0; start < numbers.length; start += 50) {
      await Promise.all(numbers.slice(start, start + 50).map((n) => put(`many/${n}`, 'x')))
    }
    expect((await keys('many/')).length).toBe(1_005)
    expect(await storage.deletePrefix('many/')).toBe(1_005)
    expect(await keys('many/')).toEqual([])
  })

  it.each([
    '../x',
    'a/../../x',
    '/etc/passwd',
    'a//b',
    '.tmp/x',
    'a/.x',
    '',
    'a/',
    'a\\b',
    'a\0b',
    'é',
    'a?b',
    'x'.repeat(513),
  ])('refuses the key %j in every operation', async (key) => {
    const refused = 'not a valid object key'
    await expect((async () => storage.get(key))()).rejects.toThrow(refused)
    await expect((async () => storage.read(key, 9))()).rejects.toThrow(refused)
    await expect((async () => storage.stat(key))()).rejects.toThrow(refused)
    await expect((async () => put(key, 'x'))()).rejects.toThrow(refused)
    await expect(
      (async () => storage.putStream(key, inChunks(bytes('x')), 'a/b'))(),
    ).rejects.toThrow(refused)
    await expect((async () => storage.deletePrefix(`${key}/`))()).rejects.toThrow(refused)
  })
})

describe('the folder driver', () => {
  it('never shows a partial object to a reader', async () => {
    const storage = createStorage({ driver: 'folder', dir: join(scratch, 'atomic') })
    const bodies = [Buffer.alloc(3_000_000, 1), Buffer.alloc(2_000_000, 2)]
    await storage.putBuffer('x', bodies[0]!, 'a/b')
    const writes = (async () => {
      for (let round = 1; round <= 10; round++)
        await storage.putBuffer('x', bodies[round % 2]!, 'a/b')
    })()
    for (let round = 0; round < 10; round++) {
      const { stream, sizeBytes } = await storage.get('x')
      const body = await buffer(stream)
      expect(body.length).toBe(sizeBytes)
      expect(body.equals(bodies[0]!) || body.equals(bodies[1]!)).toBe(true)
    }
    await writes
  })

  it('removes what a killed process has left of a stream, and nothing that is still written', async () => {
    const dir = join(scratch, 'killed')
    const left = () => readdir(join(dir, '.tmp'))
    await haltUpload(createStorage({ driver: 'folder', dir }), 'x')
    const [name = ''] = await left()
    const storage = createStorage({ driver: 'folder', dir })
    const anHourAgo = new Date(Date.now() - 3_600_000)
    expect(await storage.removeUnfinished(anHourAgo)).toBe(0)
    expect(await left()).toEqual([name])
    const earlier = new Date(anHourAgo.getTime() - 1_000)
    await utimes(join(dir, '.tmp', name), earlier, earlier)
    expect(await storage.removeUnfinished(anHourAgo)).toBe(1)
    expect(await left()).toEqual([])
    expect(await storage.stat('x')).toBeNull()
  })

  it('does not list or delete through a symbolic link', async () => {
    const dir = join(scratch, 'links')
    const storage = createStorage({ driver: 'folder', dir })
    await storage.putBuffer('a/x', bytes('x'), 'a/b')
    await writeFile(join(scratch, 'outside'), 'precious')
    await symlink(scratch, join(dir, 'a', 'link'))
    expect(await storage.deletePrefix('a/')).toBe(1)
    expect(
      (await createStorage({ driver: 'folder', dir: scratch }).stat('outside'))?.sizeBytes,
    ).toBe(8)
  })
})

describe('the s3 driver', () => {
  it('presigns a URL that allows reading the object for a limited time, and nothing else', async () => {
    const config = await s3Server()
    const storage = createStorage(config)
    await storage.putBuffer('signed/1.m4s', bytes('0123456789'), 'video/mp4')
    const options = { ttlSeconds: 60, signedAt: new Date() }
    const url = (await storage.presign?.('signed/1.m4s', options)) ?? ''
    expect(await storage.presign?.('signed/1.m4s', options)).toBe(url)
    expect(url).not.toContain(config.secretKey)
    const part = await fetch(url, { headers: { Range: 'bytes=2-4' } })
    expect([part.status, await part.text()]).toEqual([206, '234'])
    const other = url.replace('signed/1.m4s', 'signed/2.m4s')
    expect((await fetch(other)).status).toBe(403)
    const past = { ttlSeconds: 60, signedAt: new Date(Date.now() - 120_000) }
    expect((await fetch((await storage.presign?.('signed/1.m4s', past)) ?? '')).status).toBe(403)
  })

  it('presigns with the public endpoint', async () => {
    const config = { ...(await s3Server()), publicEndpoint: 'https://objects.example:8443' }
    const options = { ttlSeconds: 60, signedAt: new Date() }
    const url = new URL((await createStorage(config).presign?.('a/b', options)) ?? '')
    expect(url.origin).toBe('https://objects.example:8443')
    expect(url.pathname).toBe(`/${config.bucket}/a/b`)
    await expect(createStorage(config).presign?.('../x', options)).rejects.toThrow('object key')
  })

  it('removes with a prefix what a killed process has left of a stream, and nothing else', async () => {
    const config = await s3Server()
    const storage = createStorage(config)
    const client = clientOf(config)
    const { bucket } = config
    const unfinished = async () => {
      const found: string[] = []
      for await (const { key } of client.listIncompleteUploads(bucket, '', true)) found.push(key)
      return found
    }
    async function* failing() {
      yield* inChunks(randomBytes(20 << 20))
      throw new Error('it is away')
    }
    await expect(storage.putStream('failed/x', failing(), 'a/b')).rejects.toThrow('it is away')
    expect(await unfinished()).toEqual([])
    for (const key of ['killed/x', 'other/x']) await haltUpload(storage, key)
    expect(await storage.stat('killed/x')).toBeNull()
    // The next attempt does not continue the upload, whose bytes are others.
    const body = randomBytes(20 << 20)
    await storage.putStream('killed/x', inChunks(body), 'a/b')
    expect((await storage.read('killed/x', body.length))?.body?.equals(body)).toBe(true)
    expect(await storage.deletePrefix('killed/')).toBe(1)
    expect(await unfinished()).toEqual(['other/x'])
    expect(await storage.removeUnfinished(new Date(Date.now() - 3_600_000))).toBe(0)
    expect(await unfinished()).toEqual(['other/x'])
    // The server's times have whole seconds.
    expect(await storage.removeUnfinished(new Date(Date.now() + 1_000))).toBe(1)
    expect(await unfinished()).toEqual([])
  })

  it('without multi-object delete deletes objects one by one, and says once what it lacks', async () => {
    const config = await s3Server()
    const { hostname, port } = new URL(config.endpoint)
    const server = createServer((request, response) => {
      const { method, url: path = '', headers } = request
      if (method === 'POST' && path.includes('?delete')) {
        request.resume()
        const body =
          '<Error><Code>NotImplemented</Code><Message>A header you provided</Message></Error>'
        return void response.writeHead(501, { 'Content-Type': 'application/xml' }).end(body)
      }
      const passed = sendRequest({ hostname, port, method, path, headers }, (received) => {
        response.writeHead(received.statusCode ?? 502, received.rawHeaders)
        received.pipe(response)
      })
      request.pipe(passed)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const missing: string[] = []
    const storage = createStorage({ ...config, endpoint }, undefined, (name) => missing.push(name))
    for (const folder of ['a/', 'b/'])
      for (const name of ['1', '2', '3'])
        await storage.putBuffer(folder + name, bytes(name), 'text/plain')
    let progress = 0
    expect(await storage.deletePrefix('a/', () => (progress += 1))).toBe(3)
    expect(await storage.deletePrefix('b/')).toBe(3)
    expect(progress).toBeGreaterThanOrEqual(3)
    for await (const { key } of storage.list('')) expect(key).toBeNull()
    expect(missing).toEqual(['DeleteObjects (POST ?delete)'])
    await closeServer(server)
  })

  it('removes unfinished uploads, also if one of them ends meanwhile', async () => {
    const config = await s3Server()
    for (const key of ['ending/1', 'ending/2']) await haltUpload(createStorage(config), key)
    const { hostname, port } = new URL(config.endpoint)
    const abort = async (key: string): Promise<void> => {
      const { uploads } = await clientOf(config).listIncompleteUploadsQuery(
        config.bucket,
        key,
        '',
        '',
        '',
      )
      for (const { uploadId } of uploads)
        await clientOf(config).abortMultipartUpload(config.bucket, key, uploadId)
    }
    // The first upload ends between the list and the first request that names it.
    const asked: string[] = []
    const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      asked.push(`${request.method} ${request.url}`)
      if (request.url?.includes('ending/1')) await abort('ending/1')
      const { method, url: path, headers } = request
      const passed = sendRequest({ hostname, port, method, path, headers }, (received) => {
        response.writeHead(received.statusCode ?? 502, received.rawHeaders)
        received.pipe(response)
      })
      request.pipe(passed)
    }
    const proxy = createServer((request, response) => void pass(request, response))
    proxy.listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    const endpoint = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
    const storage = createStorage({ ...config, endpoint })
    expect(await storage.removeUnfinished(new Date(Date.now() + 1_000))).toBe(1)
    expect(asked.length).toBe(3)
    // A part that was on its way while its upload was removed can bring the upload back.
    await waitFor('the end of both', async () => {
      const left = await createStorage(config).removeUnfinished(new Date(Date.now() + 1_000))
      return left === 0
    })
    await closeServer(proxy)
  })

  it.each(['http://[::1]', 'http://[::1]:9000'])('is reached at %s', async (endpoint) => {
    const storage = createStorage({ ...(await s3Server()), endpoint })
    const url = await storage.presign?.('a/b', { ttlSeconds: 60, signedAt: new Date() })
    expect(new URL(url ?? '').origin).toBe(endpoint)
  })

  it('is named with what to do by the preparation of one whose responses are not HTTP', async () => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => {}).once('data', () => socket.end('hello\r\n\r\n'))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const config = { ...(await s3Server()), endpoint }
    await expect(prepareStorage(config)).rejects.toThrow(
      `The object storage at ${endpoint} (bucket ${config.bucket}) responds with something else than HTTP: `,
    )
    server.close()
  })

  it('creates its bucket once, and accepts an existing one', async () => {
    const config = { ...(await s3Server()), bucket: 'made-by-hand' }
    await prepareStorage(config)
    await prepareStorage(config)
    await createStorage(config).putBuffer('x', bytes('x'), 'a/b')
  })
})
