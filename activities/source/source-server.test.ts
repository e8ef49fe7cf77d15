import { readFile, stat, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inputArguments } from '../../media/ffmpeg.ts'
import { probeSource } from '../../media/probe/probe-source.ts'
import { H264, picture, setUpMediaFixture, signal } from '../../test/fixtures/media-files.ts'
import { serveSource } from './source-server.ts'

const media = setUpMediaFixture()
let outside: Server
let port: number
/** The requests that reached another server of this machine. */
let asked: (string | undefined)[] = []
let local: string

beforeAll(async () => {
  local = await media.make('local.mp4', ...picture('320x240', 25, 1), ...H264)
  const video = await readFile(local)
  outside = createServer((request, response) => {
    asked.push(request.url)
    response.writeHead(200, { 'content-length': video.length }).end(video)
  })
  await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve))
  const address = outside.address()
  port = typeof address === 'object' && address ? address.port : 0
})
afterAll(() => new Promise((resolve) => outside.close(resolve)))

/** Serves the file at `path` while `use` runs. */
async function served<T>(path: string, use: (address: string) => Promise<T>): Promise<T> {
  const [{ size }, body] = await Promise.all([stat(path), readFile(path)])
  const piece = (index: number) => body.subarray(index << 20, (index + 1) << 20)
  const readPiece = async (index: number) => piece(index)
  const server = await serveSource({
    name: 'lesson',
    sizeBytes: size,
    readPiece,
    isLocal: false,
    onFault: () => {},
  })
  try {
    return await use(server.address)
  } finally {
    await server.close()
  }
}

/** An MP4 box with its content. */
const box = (type: string, ...content: Buffer[]): Buffer => {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(content.reduce((sum, { length }) => sum + length, 8))
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, ...content])
}

/** A macintosh alias to a file, as QuickTime refers to the media of another file. */
function alias(path: string): Buffer {
  const name = Buffer.from(path)
  const head = Buffer.alloc(10 + 1 + 27 + 12 + 1 + 63 + 16 + 4 + 16)
  head.writeUInt16BE(1, 130)
  head.writeUInt16BE(1, 132)
  const type = Buffer.from([0, 2, 0, name.length])
  const padding = Buffer.alloc(name.length % 2)
  return box('alis', Buffer.alloc(4), head, type, name, padding, Buffer.from([255, 255, 0, 0]))
}

/** Replaces the data references of an MP4 whose index is at the end by one to another file. */
function referTo(path: string, whole: Buffer): Buffer {
  const count = Buffer.from([0, 0, 0, 0, 0, 0, 0, 1])
  const containers = ['moov', 'trak', 'mdia', 'minf', 'dinf']
  const rewrite = (body: Buffer): Buffer => {
    const parts: Buffer[] = []
    for (let at = 0; at < body.length; at += body.readUInt32BE(at)) {
      const one = body.subarray(at, at + body.readUInt32BE(at))
      const type = one.toString('latin1', 4, 8)
      if (type === 'dref') parts.push(box('dref', count, alias(path)))
      else parts.push(containers.includes(type) ? box(type, rewrite(one.subarray(8))) : one)
    }
    return Buffer.concat(parts)
  }
  return rewrite(whole)
}

describe('ffmpeg on a served source', () => {
  it.each([
    ['a playlist of a server', () => `#EXTM3U\n#EXTINF:9,\nhttp://127.0.0.1:${port}/a.ts\n`],
    ['a playlist of a file', () => `#EXTM3U\n#EXTINF:9,\nfile://${local}\n#EXT-X-ENDLIST\n`],
    ['a script', () => `ffconcat version 1.0\nfile 'http://127.0.0.1:${port}/a.mp4'\n`],
    [
      'a manifest',
      () =>
        `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static"><Period><AdaptationSet><Representation><BaseURL>http://127.0.0.1:${port}/x.mp4</BaseURL></Representation></AdaptationSet></Period></MPD>`,
    ],
  ])('opens nothing that %s names', async (_title, text) => {
    const path = join(media.folder, 'hostile')
    await writeFile(path, text().padEnd(1_000, '\n'))
    asked = []
    await served(path, async (address) => {
      await expect(probeSource(address, { signal })).rejects.toMatchObject({
        code: 'unsupported_container',
      })
    })
    expect(asked).toEqual([])
  })

  it('does not open the file that an MP4 names for its picture, although ffmpeg can', async () => {
    const path = join(media.folder, 'referring.mp4')
    await writeFile(path, referTo(local, await readFile(local)))
    const decode = ['-map', '0:v', '-f', 'framemd5', '-']
    const opened = async (...input: string[]): Promise<string> =>
      (await execa('ffmpeg', ['-v', 'debug', ...input, ...decode], { reject: false })).stderr
    const reference = /Opening '[^']*local\.mp4' for reading/
    const allowed = ['-enable_drefs', '1', '-use_absolute_path', '1', '-i', path]
    expect(await opened(...allowed)).toMatch(reference)
    await served(path, async (address) => {
      const log = await opened(...inputArguments(address))
      expect(log).toContain('Skipped opening external track')
      expect(log).not.toMatch(reference)
    })
  })

  it.each(['http://127.0.0.1:80/other', 'http://127.0.0.1:80/', 'http://10.0.0.1:80/', 'tcp://x'])(
    'may not read %s, which is no source that this process serves',
    (address) => {
      const args = inputArguments(address)
      expect(args.slice(0, 2)).toEqual(['-protocol_whitelist', 'file'])
      expect(args.at(-1)).toMatch(/^file:\//)
    },
  )

  it('does not use a proxy of the environment', async () => {
    process.env.http_proxy = `http://127.0.0.1:${port}`
    asked = []
    try {
      const facts = await served(local, (address) => probeSource(address, { signal }))
      expect(facts.video.width).toBe(320)
    } finally {
      delete process.env.http_proxy
    }
    expect(asked).toEqual([])
  })
})

const MIB = 1 << 20

describe('a tool that stops reading', () => {
  it.each([1, 9])('is sent at most two pieces more than the %i that it has read', async (count) => {
    const asked: number[] = []
    const readPiece = async (index: number) => (asked.push(index), Buffer.alloc(MIB))
    const server = await serveSource({
      name: 'lesson',
      sizeBytes: 32 * MIB,
      readPiece,
      isLocal: false,
      onFault: () => {},
    })
    const { hostname, port, pathname } = new URL(server.address)
    const socket = connect({ host: hostname, port: Number(port) })
    try {
      socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\nRange: bytes=0-\r\n\r\n`)
      let bytes = 0
      for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
        bytes += (chunk as Buffer).length
        if (bytes >= count * MIB) break
      }
      socket.pause()
      // The kernel would have taken more at once.
      await sleep(300)
      expect(asked.length).toBeGreaterThan(count)
      expect(asked.length).toBeLessThanOrEqual(count + 2)
    } finally {
      socket.destroy()
      await server.close()
    }
  })
})
