import { randomBytes } from 'node:crypto'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { pino } from 'pino'
import { createAccount } from '../../db/accounts.ts'
import { openDatabase } from '../../db/database.ts'
import type { Database } from '../../db/database.ts'
import { Account } from '../../db/entities/account.ts'
import { ContentKey, Rendition, Video } from '../../db/entities/video.ts'
import { encodeAccountId } from '../../domain/embed-url.ts'
import { posterKey, segmentKey } from '../../domain/media-paths.ts'
import { DEFAULT_PLAYER_SETTINGS } from '../../domain/player-settings.ts'
import type { PlayerSettings } from '../../domain/player-settings.ts'
import type { Rendition as RenditionFacts } from '../../domain/rendition.ts'
import { parseMasterKeys, seal } from '../../security/sealing.ts'
import { signViewerToken } from '../../security/viewer-token.ts'
import { createStorage } from '../../storage/object-storage.ts'
import { waitFor } from '../../test/service/wait-for.ts'
import { createTestDatabase } from '../../test/services/index.ts'
import type { TestDatabase } from '../../test/services/index.ts'
import { createPlayerApp } from './app.ts'
import { startBandwidthMeter } from './bandwidth-meter.ts'
import type { BandwidthMeter } from './bandwidth-meter.ts'

const masterKeys = parseMasterKeys(randomBytes(32).toString('hex'))
const signingSecret = randomBytes(32).toString('hex')
const videoId = randomBytes(10).toString('hex')
const contentKey = randomBytes(16)
const keyId = randomBytes(16)
const SITE = 'https://site.example/page'

let database: TestDatabase
let db: Database
let folder: string
let server: Server
let base: string
let accountId: number
let meter: BandwidthMeter
const counted: number[] = []

const rung: RenditionFacts = {
  ...{ kind: 'video', name: '360p', trackType: 'SD', codecs: 'avc1.64001e', width: 640 },
  ...{ height: 360, frameRate: '30/1', language: null, label: null, channels: null },
  ...{ sampleRate: null, bandwidthBps: 900_000, averageBandwidthBps: 800_000, timescale: 15_360 },
  segments: [
    { durationTicks: 61_440, sizeBytes: 10 },
    { durationTicks: 30_720, sizeBytes: 5 },
  ],
  ...{ durationMs: 6_000, sizeBytes: 20 },
}

const configure = (change: Partial<PlayerSettings>): Promise<number> =>
  db.em
    .fork()
    .nativeUpdate(Account, accountId, { settings: { ...DEFAULT_PLAYER_SETTINGS, ...change } })

const setVideo = (change: object): Promise<number> =>
  db.em.fork().nativeUpdate(Video, { id: videoId }, change)

const page = (query = '', headers: Record<string, string> = { Referer: SITE }) =>
  fetch(`${base}/${videoId}/${encodeAccountId(accountId)}${query}`, { headers })

const vtFor = (viewerId: string, seconds = 60, secret = signingSecret): string =>
  signViewerToken({ viewerId, expiresAtSeconds: Math.floor(Date.now() / 1000) + seconds }, secret)

async function openSession(): Promise<Record<string, string>> {
  const html = await (await page()).text()
  const [, json = '{}'] = /<script type="application\/json"[^>]*>(.*?)<\/script>/s.exec(html) ?? []
  return { 'X-Playback-Session': (JSON.parse(json) as { session: string }).session }
}

beforeAll(async () => {
  database = await createTestDatabase()
  db = await openDatabase({ url: database.url, poolSize: 4 })
  folder = await mkdtemp(join(tmpdir(), 'reelgate-player-'))
  const storage = createStorage({ driver: 'folder', dir: folder })
  accountId = await createAccount(db.em.fork(), {
    ...{ name: 'Test', protection: 'clearkey', storageLimitBytes: null },
    sealSigningSecret: (id) => seal(masterKeys, signingSecret, `signing-secret:${id}`),
  })
  const em = db.em.fork()
  await em.insert(Video, {
    ...{
      id: videoId,
      accountId,
      title: 'A <b>film</b>',
      sourceUrl: 'https://x.example/',
      status: 'ready',
    },
    ...{ protection: 'clearkey', hasPoster: true },
  })
  await em.insert(Rendition, { videoId, name: '360p', facts: rung })
  const sealedKey = seal(masterKeys, contentKey, `content-key:${videoId}:SD`)
  const row = {
    videoId,
    trackType: 'SD',
    keyId: keyId.toString('hex'),
    sealedKey,
    systems: [],
  } as const
  await em.insert(ContentKey, { ...row, systems: [] })
  await storage.putBuffer(segmentKey(videoId, '360p', 1), Buffer.from('0123456789'), 'video/mp4')
  await storage.putBuffer(posterKey(videoId), Buffer.from('jpeg'), 'image/jpeg')
  meter = startBandwidthMeter(db, pino({ level: 'silent' }))
  const app = await createPlayerApp({
    ...{
      db,
      masterKeys,
      storage,
      embedBase: 'https://play.example',
      mediaBase: 'https://cdn.example',
    },
    ...{
      serviceDomains: [],
      directPlayHost: null,
      countServed: (video, bytes) => {
        counted.push(bytes)
        meter.count(video, bytes)
      },
      trustedProxies: 0,
      logger: pino({ level: 'silent' }),
    },
  })
  server = app.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

beforeEach(async () => {
  await configure({})
  await setVideo({ status: 'ready', deletedAt: null })
})

afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await meter.stop()
  await db.close(true)
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

describe('the embed page', () => {
  it('plays, is private and never stored, frames where it may, and runs no inline script', async () => {
    const response = await page()
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    const policy = response.headers.get('content-security-policy')
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain('frame-ancestors *')
    const html = await response.text()
    expect(html).toContain('A &lt;b&gt;film&lt;/b&gt;')
    expect(html).not.toContain(contentKey.toString('hex'))
  })

  it.each(['/', '/x', '/x/y', '/x/y/z', '/%00/a', `/${'a'.repeat(20)}/!!!`, '/%'])(
    'at the malformed path %s is a 400 page',
    async (path) => {
      const response = await fetch(base + path, { headers: { Referer: SITE } })
      expect(response.status).toBe(400)
      expect(response.headers.get('content-type')).toContain('text/html')
      expect(await response.text()).toContain('Request req_')
    },
  )

  it('of another account, or of a deleted video, is a 404 page', async () => {
    const other = await fetch(`${base}/${videoId}/${encodeAccountId(accountId + 1)}`, {
      headers: { Referer: SITE },
    })
    expect(other.status).toBe(404)
    await setVideo({ deletedAt: new Date() })
    expect((await page()).status).toBe(404)
  })

  it('without Referer or Origin is a 403 page that names the attribute to set', async () => {
    const response = await page('', {})
    expect(response.status).toBe(403)
    expect(await response.text()).toContain('referrerpolicy')
    expect((await page('', { Origin: 'https://site.example' })).status).toBe(200)
  })

  it('follows blocked and allowed domains', async () => {
    await configure({ blocked_domains: ['site.example'], allowed_domains: ['site.example'] })
    expect((await page()).status).toBe(403)
    await configure({ allowed_domains: ['*.site.example'] })
    expect((await page()).status).toBe(403)
    const sub = await page('', { Referer: 'https://www.site.example/' })
    expect(sub.status).toBe(200)
    expect(sub.headers.get('content-security-policy')).toContain('https://*.site.example:*')
  })

  it.each([
    ['missing', () => ''],
    ['expired', () => `?vt=${vtFor('v', -1)}`],
    ['forged', () => `?vt=${vtFor('v', 60, 'f'.repeat(64))}`],
    ['repeated', () => `?vt=${vtFor('v')}&vt=${vtFor('v')}`],
  ])(
    'under enforcement with a %s vt is refused, as one security event each',
    async (_name, query) => {
      const watermark = { ...DEFAULT_PLAYER_SETTINGS.watermark, enabled: true, required: true }
      await configure({ watermark })
      const count = () =>
        db.em.fork().execute<{ n: number }[]>('select count(*)::int as n from security_event')
      const [before] = await count()
      expect((await page(query())).status).toBe(403)
      const [after] = await count()
      expect((after?.n ?? 0) - (before?.n ?? 0)).toBe(1)
    },
  )

  it('shows the verified viewer id, and never one that is merely in the query', async () => {
    const watermark = { ...DEFAULT_PLAYER_SETTINGS.watermark, enabled: true, required: true }
    await configure({ watermark })
    const html = await (await page(`?vt=${vtFor('ann')}&viewer_id=eve`)).text()
    expect(html).toContain('"text":"ann"')
    expect(html).not.toContain('eve')
  })

  it('waits while the video is queued, and then plays where it was framed first', async () => {
    await configure({ allowed_domains: ['site.example'] })
    await setVideo({ status: 'queued' })
    const html = await (await page()).text()
    const [, url = ''] = /http-equiv="refresh" content="5;url=([^"]+)"/.exec(html) ?? []
    await setVideo({ status: 'playable' })
    const next = await fetch(base + url.replaceAll('&amp;', '&'), { headers: { Referer: base } })
    expect(next.status).toBe(200)
    expect((await page('?from=abc.def', { Referer: base })).status).toBe(403)
  })
})

describe('manifests', () => {
  it('need a session of their video', async () => {
    const url = `${base}/media/${videoId}/manifest.mpd`
    expect((await fetch(url)).status).toBe(403)
    const headers = await openSession()
    const other = await fetch(`${base}/media/${'0'.repeat(20)}/manifest.mpd`, { headers })
    expect(other.status).toBe(403)
    const mpd = await fetch(url, { headers })
    expect(mpd.headers.get('cache-control')).toBe('private, no-store')
    const text = await mpd.text()
    expect(text).toContain('mediaPresentationDuration="PT6S"')
    expect(text).toContain(`initialization="https://cdn.example/media/${videoId}/360p/init.mp4"`)
    expect(text).toContain('<S d="61440"/><S d="30720"/>')
    expect(text).toContain('urn:uuid:e2719d58-a985-b3c9-781a-b030af78d30e')
  })

  it('are HLS too, over the same segments', async () => {
    const headers = await openSession()
    const get = async (name: string) =>
      (await fetch(`${base}/media/${videoId}/${name}`, { headers })).text()
    expect(await get('master.m3u8')).toContain(
      '#EXT-X-STREAM-INF:BANDWIDTH=900000,AVERAGE-BANDWIDTH=800000,CODECS="avc1.64001e",RESOLUTION=640x360,FRAME-RATE=30.000,CLOSED-CAPTIONS=NONE\n360p.m3u8',
    )
    const media = await get('360p.m3u8')
    expect(media).toContain('METHOD=SAMPLE-AES-CTR')
    expect(media).toContain(`#EXTINF:4.000000,\nhttps://cdn.example/media/${videoId}/360p/1.m4s`)
    expect((await fetch(`${base}/media/${videoId}/9p.m3u8`, { headers })).status).toBe(404)
  })
})

describe('keys', () => {
  const ask = (headers: Record<string, string>, body: unknown) =>
    fetch(`${base}/licence/clearkey`, { method: 'POST', headers, body: JSON.stringify(body) })
  const kid = keyId.toString('base64url')

  it('leave for a session that lives, and the grant is recorded', async () => {
    const headers = await openSession()
    const response = await ask(headers, { kids: [kid], type: 'temporary' })
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({
      keys: [{ kty: 'oct', kid, k: contentKey.toString('base64url') }],
      type: 'temporary',
    })
    const [row] = await db.em
      .fork()
      .execute<{ key_grants: number }[]>(
        'select max(key_grants) as key_grants from playback_session',
      )
    expect(row?.key_grants).toBe(1)
  })

  it('stay without a session, for another key, and for nonsense', async () => {
    expect((await ask({}, { kids: [kid] })).status).toBe(403)
    const headers = await openSession()
    const foreign = randomBytes(16).toString('base64url')
    expect((await ask(headers, { kids: [foreign] })).status).toBe(403)
    for (const body of [{}, { kids: [] }, { kids: ['x'] }, { kids: 'x' }, [], null, 'x'])
      expect((await ask(headers, body)).status).toBe(400)
  })

  it('stay after the secret was rotated or the video deleted', async () => {
    const headers = await openSession()
    await db.em.fork().nativeUpdate(Account, accountId, { signingSecretVersion: 9 })
    expect((await ask(headers, { kids: [kid] })).status).toBe(403)
    const heartbeat = await fetch(`${base}/sessions/heartbeat`, { method: 'POST', headers })
    expect(heartbeat.status).toBe(403)
    await db.em.fork().nativeUpdate(Account, accountId, { signingSecretVersion: 1 })
    expect((await ask(headers, { kids: [kid] })).status).toBe(200)
    await setVideo({ deletedAt: new Date() })
    expect((await ask(headers, { kids: [kid] })).status).toBe(403)
  })
})

describe('segments', () => {
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${base}/media/${videoId}/${path}`, { headers })

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
  ])('answer the range %s with %i', async (range, status, body, contentRange) => {
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
  ])('that are not there (%s) are not found', async (path) => {
    expect([400, 404]).toContain((await get(path)).status)
  })

  it('stand beside a public poster', async () => {
    const poster = await fetch(`${base}/posters/${videoId}.jpg`)
    expect(poster.headers.get('content-type')).toBe('image/jpeg')
    expect((await fetch(`${base}/posters/${'0'.repeat(20)}.jpg`)).status).toBe(404)
  })
})

describe('served bytes', () => {
  it('are counted for the account of the video, whole segments and parts of them', async () => {
    await meter.flush()
    await db.em.fork().execute('delete from usage_day')
    counted.length = 0
    const url = `${base}/media/${videoId}/360p/1.m4s`
    await fetch(url, { method: 'HEAD' })
    await (await fetch(url)).arrayBuffer()
    await (await fetch(url, { headers: { Range: 'bytes=2-4' } })).arrayBuffer()
    await (await fetch(`${base}/media/${videoId}/360p/9.m4s`)).arrayBuffer()
    await waitFor('two answers', async () => (counted.length >= 2 ? true : null))
    expect(counted).toEqual([10, 3])
    await meter.flush()
    await meter.flush()
    expect(await servedBytes()).toBe(13)
  })

  async function servedBytes(): Promise<number> {
    const [row] = await db.em
      .fork()
      .execute<{ bytes: string }[]>(
        'select bandwidth_bytes as bytes from usage_day where account_id = ?',
        [accountId],
      )
    return Number(row?.bytes ?? 0)
  }
})
