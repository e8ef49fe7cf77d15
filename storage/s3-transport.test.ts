import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { s3Server, type TestBucket } from '../test/infrastructure/services.ts'
import { openSilentProxy, type SilentProxy } from '../test/infrastructure/silent-proxy.ts'
import { createStorage, type ObjectStorage } from './object-storage.ts'
import { S3_LIMITS } from './s3-transport.ts'

const LIMITS = { connectMs: 1_000, readMs: 500, otherMs: 750, joinMs: 500, idleMs: 500 }
const MARK = 'in the middle of the body'
const BODY = Buffer.concat([randomBytes(3 << 20), Buffer.from(MARK), randomBytes(3 << 20)])
const TIMED_OUT = { code: 'ETIMEDOUT' }

let bucket: TestBucket
let proxy: SilentProxy
/** The bucket, reached directly and through the proxy. */
let direct: ObjectStorage
let storage: ObjectStorage

beforeAll(async () => {
  bucket = await s3Server()
  const { hostname: host, port } = new URL(bucket.endpoint)
  proxy = await openSilentProxy({ host, port: Number(port) })
  storage = createStorage({ ...bucket, endpoint: `http://127.0.0.1:${proxy.port}` }, LIMITS)
  direct = createStorage(bucket)
  await direct.putBuffer('held/x', BODY, 'a/b')
})
afterAll(() => proxy.close())

it.each([
  ['GET', () => storage.read('held/x', BODY.length).then((read) => read?.body)],
  ['GET', () => storage.get('held/x').then(({ stream }) => buffer(stream))],
  ['HEAD', () => storage.stat('held/x').then((facts) => facts && BODY)],
])('a %s that never gets a response is sent again', async (method, read) => {
  proxy.swallow(`${method} /${bucket.bucket}/held/x `)
  expect((await read())?.equals(BODY)).toBe(true)
})

it('a list whose response never comes is asked for again', async () => {
  proxy.swallow('list-type=2')
  const keys: string[] = []
  for await (const { key } of storage.list('held/')) keys.push(key)
  expect(keys).toEqual(['held/x'])
})

it('an object whose bytes stop in the middle is read again; a stream fails', async () => {
  proxy.swallow(MARK)
  expect((await storage.read('held/x', BODY.length))?.body?.equals(BODY)).toBe(true)
  proxy.swallow(MARK)
  const { stream } = await storage.get('held/x')
  await expect(buffer(stream)).rejects.toMatchObject(TIMED_OUT)
})

it('a write, a deletion and an upload in parts that never get a response end, for their caller to repeat', async () => {
  proxy.swallow(`PUT /${bucket.bucket}/hung/1 `)
  const body = Buffer.from('x')
  await expect(storage.putBuffer('hung/1', body, 'a/b')).rejects.toMatchObject(TIMED_OUT)
  await direct.putBuffer('hung/1', body, 'a/b')
  proxy.swallow('?delete')
  await expect(storage.deletePrefix('hung/')).rejects.toMatchObject(TIMED_OUT)
  expect(await direct.deletePrefix('hung/')).toBe(1)
  async function* chunks() {
    for (let count = 0; count < 20; count += 1) yield randomBytes(1 << 20)
  }
  proxy.swallow('POST /')
  await expect(storage.putStream('hung/2', chunks(), 'a/b')).rejects.toMatchObject(TIMED_OUT)
})

it('a stream that is read slowly is not cut off', async () => {
  const { stream } = await storage.get('held/x')
  // Longer than `idleMs`.
  proxy.swallow(`PUT /${bucket.bucket}/hung/3 `)
  await expect(storage.putBuffer('hung/3', BODY, 'a/b')).rejects.toMatchObject(TIMED_OUT)
  expect((await buffer(stream)).equals(BODY)).toBe(true)
})

it('a connection that is accepted and then silent ends', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const endpoint = `https://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const limits = { ...S3_LIMITS, connectMs: 100 }
  await expect(createStorage({ ...bucket, endpoint }, limits).check()).rejects.toMatchObject(
    TIMED_OUT,
  )
  silent.close()
})
