import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findPublished } from '../../../db/videos/renditions.ts'
import { putRendition } from '../../../db/videos/write-renditions.ts'
import { partPrefix, segmentKey, segmentName } from '../../../domain/videos/media-paths.ts'
import type { Rendition } from '../../../domain/videos/rendition.ts'
import { openPlayerFixture, type PlayerFixture } from '../../../test/fixtures/player.ts'
import { SITE } from '../../../test/fixtures/viewer.ts'
import { waitFor } from '../../../test/infrastructure/wait-for.ts'

const CDN = 'https://cdn.example/reelgate'
const MIB = 1024 ** 2
/** One size that fits in the cache, and one that does not. */
const [WHOLE, STREAMED] = [7 * MIB, 40 * MIB]

let fixture: PlayerFixture
let path: (number: number) => string

beforeAll(async () => {
  fixture = await openPlayerFixture(() => ({ mediaBase: CDN }))
  const put = (number: number, body: Buffer) =>
    fixture.storage.putBuffer(
      segmentKey(fixture.videoId, { name: '360p' }, number),
      body,
      'video/mp4',
    )
  await put(1, Buffer.from('0123456789'))
  await put(2, Buffer.alloc(0))
  await put(3, randomBytes(WHOLE))
  await put(4, randomBytes(STREAMED))
  path = (number) => `/media/${fixture.videoId}/360p/${number}.m4s`
})
afterAll(() => fixture.close())
beforeEach(() => void (fixture.counted.length = 0))

const get = (number: number, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(fixture.base + path(number), { method, headers })

/** Publishes another rendition of the video, with the facts of the first one. */
async function publish(change: Partial<Rendition>): Promise<void> {
  const em = fixture.db.em.fork()
  const [facts] = await findPublished(em, fixture.videoId)
  if (!facts) throw new Error('the fixture has a rendition')
  await putRendition(em, fixture.videoId, { ...facts, ...change })
}

describe('a segment', () => {
  it('can be read, timed and requested in parts by players of any site', async () => {
    const { headers } = await get(1)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-expose-headers')).toContain('Content-Range')
    expect(headers.get('timing-allow-origin')).toBe('*')
    expect(headers.get('content-type')).toBe('video/mp4')
    const preflight = await get(1, { 'Access-Control-Request-Headers': 'range' }, 'OPTIONS')
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-headers')).toContain('Range')
    expect(preflight.headers.get('access-control-allow-methods')).toBe('GET, HEAD')
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
  })

  it('is read-only', async () => {
    for (const method of ['POST', 'PUT', 'DELETE'])
      expect((await get(1, {}, method)).status).toBe(405)
  })

  it('matches its ETag: alone, in a list, as a weak one, or as any', async () => {
    const etag = (await get(1)).headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[^"]+"$/)
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const response = await get(1, { 'If-None-Match': known, Range: 'bytes=0-1' })
      expect([response.status, await response.text()]).toEqual([304, ''])
      expect(response.headers.get('etag')).toBe(etag)
    }
    for (const other of ['"x"', etag.slice(1, -1), 'W/"x"'])
      expect((await get(1, { 'If-None-Match': other })).status).toBe(200)
  })

  it('is sent in part with If-Range only while it is unchanged', async () => {
    const etag = (await get(1)).headers.get('etag') ?? ''
    const part = async (ifRange: string) => {
      const response = await get(1, { Range: 'bytes=2-4', 'If-Range': ifRange })
      return [response.status, await response.text()]
    }
    expect(await part(etag)).toEqual([206, '234'])
    for (const other of ['"x"', `W/${etag}`, new Date().toUTCString()])
      expect(await part(other)).toEqual([200, '0123456789'])
  })

  it('has headers of the whole segment and no body for HEAD', async () => {
    const response = await get(1, { Range: 'bytes=2-4' }, 'HEAD')
    expect([response.status, await response.text()]).toEqual([200, ''])
    expect(response.headers.get('content-length')).toBe('10')
    expect(response.headers.get('accept-ranges')).toBe('bytes')
  })

  it('gets an uncacheable 416 for an unsatisfiable range', async () => {
    for (const [number, total] of [
      [1, 10],
      [2, 0],
    ] as const) {
      const response = await get(number, { Range: 'bytes=10-' })
      expect(response.status).toBe(416)
      expect(response.headers.get('content-range')).toBe(`bytes */${total}`)
      expect(response.headers.get('cache-control')).toBe('no-store')
    }
    const empty = await get(2)
    expect([empty.status, await empty.text()]).toEqual([200, ''])
  })

  it('gets an uncacheable JSON 404 if it does not exist', async () => {
    for (const missing of [path(9), path(9).replace('360p', '361p'), `${path(0)}`]) {
      const response = await fetch(fixture.base + missing)
      expect(response.status).toBe(404)
      expect(await response.json()).toMatchObject({ error: { code: 'not_found' } })
      expect(response.headers.get('cache-control')).not.toContain('public')
      expect(response.headers.get('request-id')).toMatch(/^req_[0-9a-f]{32}$/)
    }
  })

  it('is not found once it is deleted, even if it is large and was just requested', async () => {
    const { storage, videoId } = fixture
    const url = fixture.base + path(1).replace('360p', '480p')
    await storage.putBuffer(
      segmentKey(videoId, { name: '480p' }, 1),
      Buffer.alloc(9 * MIB),
      'video/mp4',
    )
    await publish({ name: '480p' })
    await waitFor(
      'the rendition',
      async () => (await fetch(url, { method: 'HEAD' })).status === 200,
    )
    await storage.deletePrefix(`videos/${videoId}/480p/`)
    expect((await fetch(url)).status).toBe(404)
    expect(fixture.warnings()).toEqual([])
  })

  it('of a rendition in parts comes from the attempt that made it, the initialisation from the first', async () => {
    const { storage, videoId, base } = fixture
    const parts = [
      { firstSegment: 1, token: '0a0a0a0a' },
      { firstSegment: 2, token: '0b0b0b0b' },
      { firstSegment: 4, token: '0c0c0c0c' },
    ]
    for (const { token } of [...parts, { token: '0d0d0d0d' }])
      for (const number of [0, 1, 2, 3, 4, 5])
        await storage.putBuffer(
          partPrefix(videoId, '720p', token) + segmentName(number),
          Buffer.from(token),
          'video/mp4',
        )
    await publish({ name: '720p', parts })
    const read = async (file: string) =>
      (await fetch(`${base}/media/${videoId}/720p/${file}`)).text()
    await waitFor('the rendition', async () => (await read('init.mp4')) === '0a0a0a0a')
    const files = ['1.m4s', '2.m4s', '3.m4s', '4.m4s', '5.m4s']
    expect(await Promise.all(files.map(read))).toEqual([
      '0a0a0a0a',
      '0b0b0b0b',
      '0b0b0b0b',
      '0c0c0c0c',
      '0c0c0c0c',
    ])
  })

  it.each([
    ['in memory', 3, WHOLE],
    ['too large for memory', 4, STREAMED],
  ])('%s is sent whole and in parts, to the byte', async (_title, number, sizeBytes) => {
    const { stream } = await fixture.storage.get(
      segmentKey(fixture.videoId, { name: '360p' }, number),
    )
    const stored = Buffer.concat(await stream.toArray())
    const whole = Buffer.from(await (await get(number)).arrayBuffer())
    expect(whole.equals(stored)).toBe(true)
    const range = `bytes=${sizeBytes - 300_000}-${sizeBytes - 2}`
    const part = Buffer.from(await (await get(number, { Range: range })).arrayBuffer())
    expect(part.equals(stored.subarray(-300_000, -1))).toBe(true)
    await waitFor('both counts', async () => fixture.counted.length === 2)
    expect(fixture.counted).toEqual([sizeBytes, 299_999])
  })
})

describe('bytes of a segment', () => {
  /** Sends requests on a separate connection, and reads no more than the first bytes. */
  const askAndPause = async (requests: string[]): Promise<Socket> => {
    const socket = connect(Number(new URL(fixture.base).port), '127.0.0.1')
    socket.write(requests.map((one) => `GET ${one} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''))
    await new Promise((resolve) => socket.once('readable', resolve))
    return socket
  }

  it.each([
    ['in memory', 3, WHOLE],
    ['that is streamed', 4, STREAMED],
  ])(
    '%s are counted as far as they were sent when the viewer leaves',
    async (_title, number, size) => {
      const socket = await askAndPause([path(number)])
      socket.destroy()
      await waitFor('the count of the part', async () => fixture.counted.length === 1)
      expect(fixture.counted[0]).toBeGreaterThan(0)
      expect(fixture.counted[0]).toBeLessThan(size)
      expect((await get(1)).status).toBe(200)
      await waitFor('the count of the next segment', async () => fixture.counted.length === 2)
      expect(fixture.warnings()).toEqual([])
    },
  )

  it('are counted for each response of a kept-alive connection, including an aborted one', async () => {
    const socket = await askAndPause([path(1), path(1), path(4)])
    await waitFor('the counts of two whole segments', async () => fixture.counted.length === 2)
    await waitFor('the third segment', async () => socket.readableLength > 10_000)
    socket.destroy()
    await waitFor('the count of the third segment', async () => fixture.counted.length === 3)
    expect(fixture.counted.slice(0, 2)).toEqual([10, 10])
    expect(fixture.counted[2]).toBeLessThan(STREAMED)
  })
})

describe('the page', () => {
  it('lets its script fetch from the CDN, even if its address has a path', async () => {
    const url = `${fixture.base}/${fixture.videoId}/${btoa(String(fixture.accountId))}`
    const page = await fetch(url, { headers: { Referer: SITE } })
    expect(page.headers.get('content-security-policy')).toContain(
      "connect-src 'self' blob: https://cdn.example;",
    )
    const { session } = await fixture.openPage()
    const mpd = await fixture.ask(`/media/${fixture.videoId}/manifest.mpd`, { session })
    expect(await mpd.text()).toContain(
      `initialization="${CDN}/media/${fixture.videoId}/360p/init.mp4"`,
    )
  })
})
