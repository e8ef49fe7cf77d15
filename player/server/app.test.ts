import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Account } from '../../db/entities/account.ts'
import {
  posterKey,
  STORYBOARD,
  STORYBOARD_INDEX,
  storyboardIndexKey,
  storyboardKey,
} from '../../domain/videos/media-paths.ts'
import { sealFrameTicket } from '../../security/tokens/frame-ticket.ts'
import { openPlayerFixture, type PlayerFixture } from '../../test/fixtures/player.ts'
import { waitFor } from '../../test/infrastructure/wait-for.ts'

let fixture: PlayerFixture

beforeAll(async () => {
  fixture = await openPlayerFixture()
})

beforeEach(async () => {
  await fixture.configure({})
  await fixture.setVideo({ status: 'ready', deletedAt: null })
})

afterAll(() => fixture.close())

describe('manifests', () => {
  it('need a session of their video', async () => {
    const url = `${fixture.base}/media/${fixture.videoId}/manifest.mpd`
    expect((await fetch(url)).status).toBe(403)
    const headers = await fixture.openSession()
    const other = await fetch(`${fixture.base}/media/${'0'.repeat(20)}/manifest.mpd`, { headers })
    expect(other.status).toBe(403)
    const mpd = await fetch(url, { headers })
    expect(mpd.headers.get('cache-control')).toBe('private, no-store')
    const text = await mpd.text()
    expect(text).toContain('mediaPresentationDuration="PT6S"')
    expect(text).toContain(
      `initialization="https://cdn.example/media/${fixture.videoId}/360p/init.mp4"`,
    )
    expect(text).toContain('<S d="61440"/><S d="30720"/>')
    expect(text).toContain('urn:uuid:e2719d58-a985-b3c9-781a-b030af78d30e')
  })

  it('are HLS too, with the same segments', async () => {
    const headers = await fixture.openSession()
    const get = async (name: string) =>
      (await fetch(`${fixture.base}/media/${fixture.videoId}/${name}`, { headers })).text()
    expect(await get('master.m3u8')).toContain(
      '#EXT-X-STREAM-INF:BANDWIDTH=900000,AVERAGE-BANDWIDTH=800000,CODECS="avc1.64001e",RESOLUTION=640x360,FRAME-RATE=30.000,CLOSED-CAPTIONS=NONE\n360p.m3u8',
    )
    const media = await get('360p.m3u8')
    expect(media).toContain('METHOD=SAMPLE-AES-CTR')
    expect(media).toContain(
      `#EXTINF:4.000000,\nhttps://cdn.example/media/${fixture.videoId}/360p/1.m4s`,
    )
    expect(
      (await fetch(`${fixture.base}/media/${fixture.videoId}/9p.m3u8`, { headers })).status,
    ).toBe(404)
  })
})

describe('keys', () => {
  const ask = (headers: Record<string, string>, body: unknown) =>
    fetch(`${fixture.base}/licence/clearkey`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
  const kid = () => fixture.keyId.toString('base64url')

  it('are sent to a live session, and the grant is recorded', async () => {
    const headers = await fixture.openSession()
    const response = await ask(headers, { kids: [kid()], type: 'temporary' })
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({
      keys: [{ kty: 'oct', kid: kid(), k: fixture.contentKey.toString('base64url') }],
      type: 'temporary',
    })
    const [row] = await fixture.db.em
      .fork()
      .execute<{ key_grants: number }[]>(
        'select max(key_grants) as key_grants from playback_record',
      )
    expect(row?.key_grants).toBe(1)
  })

  it('are refused without a session, for another key, and for invalid requests', async () => {
    expect((await ask({}, { kids: [kid()] })).status).toBe(403)
    const headers = await fixture.openSession()
    const foreign = randomBytes(16).toString('base64url')
    expect((await ask(headers, { kids: [foreign] })).status).toBe(403)
    for (const body of [{}, { kids: [] }, { kids: ['x'] }, { kids: 'x' }, [], null, 'x'])
      expect((await ask(headers, body)).status).toBe(400)
  })

  it('are refused after the secret was rotated or the video deleted', async () => {
    const headers = await fixture.openSession()
    await fixture.db.em.fork().nativeUpdate(Account, fixture.accountId, { signingSecretVersion: 9 })
    expect((await ask(headers, { kids: [kid()] })).status).toBe(403)
    const heartbeat = await fetch(`${fixture.base}/sessions/heartbeat`, { method: 'POST', headers })
    expect(heartbeat.status).toBe(403)
    await fixture.db.em.fork().nativeUpdate(Account, fixture.accountId, { signingSecretVersion: 1 })
    expect((await ask(headers, { kids: [kid()] })).status).toBe(200)
    await fixture.setVideo({ deletedAt: new Date() })
    expect((await ask(headers, { kids: [kid()] })).status).toBe(403)
  })
})

describe('segments', () => {
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${fixture.base}/media/${fixture.videoId}/${path}`, { headers })

  it('are public, immutable and cacheable for a year', async () => {
    const response = await get('360p/1.m4s')
    expect(await response.text()).toBe('0123456789')
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    const etag = response.headers.get('etag') ?? ''
    expect((await get('360p/1.m4s', { 'If-None-Match': etag })).status).toBe(304)
  })

  it.each([
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['bytes=-2', 206, '89', 'bytes 8-9/10'],
    ['bytes=0-99', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=10-', 416, '', 'bytes */10'],
    ['bytes=4-2', 200, '0123456789', null],
    ['lines=1-2', 200, '0123456789', null],
  ])('respond to the range %s with %i', async (range, status, body, contentRange) => {
    const response = await get('360p/1.m4s', { Range: range })
    expect(response.status).toBe(status)
    expect(await response.text()).toBe(body)
    expect(response.headers.get('content-range')).toBe(contentRange)
  })

  it.each([
    '360p/2.m4s',
    '360p/0.m4s',
    '360p/x',
    '../x/1.m4s',
    '..%2f..%2fposter.jpg/1.m4s',
    '360p/1.m4s%00',
  ])('that do not exist (%s) are not found', async (path) => {
    expect([400, 404]).toContain((await get(path)).status)
  })

  it('have a public poster next to them', async () => {
    const poster = await fetch(`${fixture.base}/posters/${fixture.videoId}.jpg`)
    expect(poster.headers.get('content-type')).toBe('image/jpeg')
    expect((await fetch(`${fixture.base}/posters/${'0'.repeat(20)}.jpg`)).status).toBe(404)
  })

  it('have a poster that can be chosen, whose address then changes', async () => {
    const { videoId, base, storage } = fixture
    await storage.putBuffer(posterKey(videoId, 'frame-2'), Buffer.from('second'), 'image/jpeg')
    await fixture.setVideo({ posterName: 'frame-2', posterVersion: 3 })
    const html = await (await fixture.page()).text()
    expect(html).toContain(`poster="/posters/${videoId}.jpg?v=3"`)
    const poster = await fetch(`${base}/posters/${videoId}.jpg?v=3`)
    expect(await poster.text()).toBe('second')
    await fixture.setVideo({ posterName: 'poster', posterVersion: 0 })
  })

  it('have pictures to choose from only for a ticket that is genuine and not expired', async () => {
    const { videoId, base, storage, masterKeys } = fixture
    await storage.putBuffer(posterKey(videoId, 'frame-1'), Buffer.from('first'), 'image/jpeg')
    await fixture.setVideo({ frameCount: 1 })
    const address = (name: string, agoMs = 0) =>
      `${base}/frames/${sealFrameTicket(masterKeys, { videoId, name }, Date.now() - agoMs)}`
    const frame = await fetch(address('frame-1'))
    expect(await frame.text()).toBe('first')
    expect(frame.headers.get('cache-control')).toBe('private, max-age=300')
    expect((await fetch(address('poster'))).status).toBe(200)
    const forged = `${base}/frames/v1.${'A'.repeat(16)}.${'A'.repeat(60)}`
    for (const url of [address('frame-1', 600_001), address('frame-2'), forged, `${base}/frames/x`])
      expect((await fetch(url)).status).toBe(404)
  })

  it('have a storyboard, whose index another page may read, for a ticket of the dashboard', async () => {
    const { videoId, base, storage, masterKeys } = fixture
    const open = (name: string) =>
      fetch(`${base}/frames/${sealFrameTicket(masterKeys, { videoId, name }, Date.now())}`)
    await fixture.setVideo({ hasStoryboard: false })
    for (const name of [STORYBOARD, STORYBOARD_INDEX]) expect((await open(name)).status).toBe(404)
    await storage.putBuffer(storyboardKey(videoId), Buffer.from('tiles'), 'image/jpeg')
    await storage.putBuffer(storyboardIndexKey(videoId), Buffer.from('WEBVTT'), 'text/vtt')
    await fixture.setVideo({ hasStoryboard: true })
    const picture = await open(STORYBOARD)
    expect([await picture.text(), picture.headers.get('content-type')]).toEqual([
      'tiles',
      'image/jpeg',
    ])
    const index = await open(STORYBOARD_INDEX)
    expect([await index.text(), index.headers.get('content-type')]).toEqual([
      'WEBVTT',
      'text/vtt; charset=utf-8',
    ])
    expect(index.headers.get('access-control-allow-origin')).toBe('*')
  })
})

describe('served bytes', () => {
  it('are counted for the account of the video, whole segments and parts of them', async () => {
    await fixture.meter.flush()
    await fixture.db.em.fork().execute('delete from usage_day')
    fixture.counted.length = 0
    const url = `${fixture.base}/media/${fixture.videoId}/360p/1.m4s`
    await fetch(url, { method: 'HEAD' })
    await (await fetch(url)).arrayBuffer()
    await (await fetch(url, { headers: { Range: 'bytes=2-4' } })).arrayBuffer()
    await (await fetch(`${fixture.base}/media/${fixture.videoId}/360p/9.m4s`)).arrayBuffer()
    await waitFor('two responses', async () => (fixture.counted.length >= 2 ? true : null))
    expect(fixture.counted).toEqual([10, 3])
    await fixture.meter.flush()
    await fixture.meter.flush()
    expect(await servedBytes()).toBe(13)
  })

  async function servedBytes(): Promise<number> {
    const [row] = await fixture.db.em
      .fork()
      .execute<{ bytes: string }[]>(
        'select bandwidth_bytes as bytes from usage_day where account_id = ?',
        [fixture.accountId],
      )
    return Number(row?.bytes ?? 0)
  }
})

describe('a request of a script that has no handler', () => {
  const ask = async (method: string, path: string) => {
    const response = await fetch(fixture.base + path, { method })
    const text = await response.text()
    const { error }: { error?: { code: string } } = text === '' ? {} : JSON.parse(text)
    return [response.status, error?.code, response.headers.get('allow')]
  }

  it.each([
    ['GET', '/licence/clearkey', 'POST'],
    ['DELETE', '/licences/widevine', 'POST'],
    ['POST', '/licences/fairplay/certificate', 'GET, HEAD'],
    ['GET', '/sessions/heartbeat', 'POST'],
    ['PUT', '/media/abc/manifest.mpd', 'GET, HEAD'],
    ['GET', '/app/sessions', 'POST'],
    ['POST', '/oembed', 'GET, HEAD'],
  ])('is 405 as JSON for %s %s, which names the methods', async (method, path, allowed) => {
    expect(await ask(method, path)).toEqual([405, 'method_not_allowed', allowed])
  })

  it.each([
    ['POST', '/licences/x'],
    ['GET', '/licence/'],
    ['GET', '/licences/playready/certificate'],
    ['GET', '/assets/none.js'],
    ['GET', '/media/abc'],
    ['POST', '/sessions/x'],
    ['GET', '/app/x'],
    ['GET', '/hls/x'],
  ])('is 404 as JSON for %s %s', async (method, path) => {
    expect(await ask(method, path)).toEqual([404, 'not_found', null])
  })

  it('is 400 as JSON for an address that cannot be read', async () => {
    expect(await ask('GET', '/media/%/manifest.mpd')).toEqual([400, 'invalid_request', null])
  })
})
