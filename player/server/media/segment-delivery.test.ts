import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Video } from '../../../db/entities/video.ts'
import { segmentKey } from '../../../domain/videos/media-paths.ts'
import {
  segmentBytes,
  segmentCacheHits,
  segmentFailures,
  segmentRequests,
} from '../../../metrics/playback.ts'
import { createStorage, VIEWER_LIMITS } from '../../../storage/object-storage.ts'
import { openPlayerFixture, type PlayerFixture } from '../../../test/fixtures/player.ts'
import { SITE } from '../../../test/fixtures/viewer.ts'
import { countedSince } from '../../../test/infrastructure/counted.ts'
import { s3Server, type TestBucket } from '../../../test/infrastructure/services.ts'
import { openSilentProxy } from '../../../test/infrastructure/silent-proxy.ts'
import { waitFor } from '../../../test/infrastructure/wait-for.ts'
import type { PlayerDeps } from '../deps.ts'

let bucket: TestBucket
const fixtures: PlayerFixture[] = []

/** Opens a player host on the bucket, with a video whose segments are stored. */
async function openFixture(change: Partial<PlayerDeps> = {}): Promise<PlayerFixture> {
  const fixture = await openPlayerFixture(() => ({
    storage: createStorage(bucket),
    mediaBase: 'https://play.example',
    ...change,
  }))
  fixtures.push(fixture)
  const put = (key: string, text: string) =>
    fixture.storage.putBuffer(key, Buffer.from(text), 'video/mp4')
  await put(segmentKey(fixture.videoId, { name: '360p' }, 0), 'initial')
  await put(segmentKey(fixture.videoId, { name: '360p' }, 1), '0123456789')
  await put(segmentKey(fixture.videoId, { name: '360p' }, 2), 'abcde')
  return fixture
}

const ask = (
  { base, videoId }: PlayerFixture,
  file: string,
  headers: Record<string, string> = {},
  method = 'GET',
) => fetch(`${base}/media/${videoId}/${file}`, { headers, method, redirect: 'manual' })

beforeAll(async () => {
  bucket = await s3Server()
})
afterAll(() => Promise.all(fixtures.map((fixture) => fixture.close())))

describe('segments in S3, streamed', () => {
  it('are sent whole, in part, and not again if they are cached', async () => {
    const fixture = await openFixture()
    const counted = await Promise.all(
      [segmentRequests, segmentCacheHits, segmentBytes, segmentFailures].map(countedSince),
    )
    const whole = await ask(fixture, '360p/1.m4s')
    expect([whole.status, await whole.text()]).toEqual([200, '0123456789'])
    const part = await ask(fixture, '360p/1.m4s', { Range: 'bytes=-3' })
    expect([part.status, await part.text()]).toEqual([206, '789'])
    const etag = whole.headers.get('etag') ?? ''
    expect((await ask(fixture, '360p/1.m4s', { 'If-None-Match': etag })).status).toBe(304)
    expect((await ask(fixture, '360p/3.m4s')).status).toBe(404)
    await waitFor('the count of the bytes', async () => (await counted[2]?.())?.[''] === 13)
    const [requests, hits, , failures] = await Promise.all(counted.map((since) => since()))
    expect([requests, hits, failures]).toEqual([{ '': 3 }, { '': 2 }, { 404: 1 }])
  })
})

describe('a segment whose first response from S3 never comes', () => {
  it('is sent to all viewers, and its request does not hold back the others', async () => {
    const { hostname: host, port } = new URL(bucket.endpoint)
    const proxy = await openSilentProxy({ host, port: Number(port) })
    const endpoint = `http://127.0.0.1:${proxy.port}`
    const storage = createStorage({ ...bucket, endpoint }, { ...VIEWER_LIMITS, readMs: 300 })
    const fixture = await openFixture({ storage })
    proxy.swallow(segmentKey(fixture.videoId, { name: '360p' }, 1))
    const viewers = Array.from({ length: 3 }, () => ask(fixture, '360p/1.m4s'))
    expect(await (await ask(fixture, '360p/2.m4s')).text()).toBe('abcde')
    for (const viewer of viewers) expect(await (await viewer).text()).toBe('0123456789')
    await proxy.close()
  })
})

describe('segments in S3, redirected', () => {
  let fixture: PlayerFixture
  beforeAll(async () => {
    fixture = await openFixture({ redirectOrigin: new URL(bucket.endpoint).origin })
  })

  it('lead to a presigned address of the storage, without the query that a player has added', async () => {
    for (const [file, text] of [
      ['360p/init.mp4', 'initial'],
      ['360p/1.m4s', '0123456789'],
      ['360p/2.m4s', 'abcde'],
    ] as const) {
      const response = await ask(fixture, `${file}?CMCD=cid%3D%22a%22`)
      expect(response.status).toBe(307)
      expect(response.headers.get('location')).not.toContain('CMCD')
      const url = new URL(response.headers.get('location') ?? '')
      expect(url.origin).toBe(bucket.endpoint)
      const object = await fetch(url, { headers: { Range: 'bytes=1-3' } })
      expect([object.status, await object.text()]).toEqual([206, text.slice(1, 4)])
      expect(object.headers.get('content-type')).toBe('video/mp4')
    }
  })

  it('have redirects that expire before the signature, for every site', async () => {
    const { headers } = await ask(fixture, '360p/1.m4s')
    const [, maxAge] = /^public, max-age=(\d+)$/.exec(headers.get('cache-control') ?? '') ?? []
    const query = new URL(headers.get('location') ?? '').searchParams
    const signed = query.get('X-Amz-Date') ?? ''
    const iso = signed.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z')
    const expiresAtMs = Date.parse(iso) + Number(query.get('X-Amz-Expires')) * 1000
    expect(Number(maxAge)).toBeGreaterThan(0)
    expect(Date.now() + Number(maxAge) * 1000).toBeLessThan(expiresAtMs)
    expect(expiresAtMs - Date.now()).toBeLessThan(3600_000)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('timing-allow-origin')).toBe('*')
  })

  it('count as served with the size of the requested part', async () => {
    fixture.counted.length = 0
    await ask(fixture, '360p/1.m4s')
    await ask(fixture, '360p/1.m4s', { Range: 'bytes=2-4' })
    await ask(fixture, '360p/init.mp4')
    await ask(fixture, '360p/1.m4s', {}, 'HEAD')
    expect(fixture.counted).toEqual([10, 3, 7])
  })

  it('are not redirected for HEAD, because signatures are only valid for GET', async () => {
    const response = await ask(fixture, '360p/2.m4s', {}, 'HEAD')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-length')).toBe('5')
  })

  it('are not found if they do not exist', async () => {
    for (const file of ['360p/3.m4s', '720p/1.m4s', 'audio-0/init.mp4', '360p/0.m4s'])
      expect((await ask(fixture, file)).status).toBe(404)
    const nowhere = { ...fixture, videoId: '0'.repeat(20) }
    expect((await ask(nowhere, '360p/1.m4s')).status).toBe(404)
  })

  it('are not found for a deleted video', async () => {
    const other = await openFixture({ redirectOrigin: new URL(bucket.endpoint).origin })
    await other.db.em.fork().nativeUpdate(Video, other.videoId, { deletedAt: new Date() })
    expect((await ask(other, '360p/1.m4s')).status).toBe(404)
  })

  it('can be fetched by the page: its policy contains the storage', async () => {
    const url = `${fixture.base}/${fixture.videoId}/${btoa(String(fixture.accountId))}`
    const page = await fetch(url, { headers: { Referer: SITE } })
    const policy = page.headers.get('content-security-policy')
    expect(policy).toContain(`connect-src 'self' blob: https://play.example ${bucket.endpoint};`)
  })
})

describe('a storage without presigned addresses', () => {
  it('cannot be redirected to: the host does not start', async () => {
    await expect(
      openPlayerFixture(() => ({ redirectOrigin: 'https://x.example' })),
    ).rejects.toThrow('cannot be redirected')
  })
})
