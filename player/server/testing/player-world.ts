import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { createAccount } from '../../../db/accounts.ts'
import { openDatabase } from '../../../db/database.ts'
import type { Database } from '../../../db/database.ts'
import { Account } from '../../../db/entities/account.ts'
import { ContentKey, Rendition, Video } from '../../../db/entities/video.ts'
import { encodeAccountId } from '../../../domain/embed-url.ts'
import { posterKey, segmentKey } from '../../../domain/media-paths.ts'
import { DEFAULT_PLAYER_SETTINGS } from '../../../domain/player-settings.ts'
import type { PlayerSettings } from '../../../domain/player-settings.ts'
import type { Rendition as RenditionFacts } from '../../../domain/rendition.ts'
import { parseMasterKeys, seal } from '../../../security/sealing.ts'
import { signViewerToken } from '../../../security/viewer-token.ts'
import { createStorage } from '../../../storage/object-storage.ts'
import { createTestDatabase } from '../../../test/services/index.ts'
import { createPlayerApp } from '../app.ts'
import { startBandwidthMeter } from '../bandwidth-meter.ts'
import type { PlayerDeps } from '../deps.ts'

/** The page that frames the embed, where a test says nothing else. */
export const SITE = 'https://site.example/page'

/** The one rendition of the world's video: two segments, of which the first is stored. */
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

const logger = pino({ level: 'silent' })

/** A player host on a free port, over a database of its own: one account with one ready ClearKey video. */
export type PlayerWorld = Awaited<ReturnType<typeof setUpPlayer>>

/** Starts a player host; `depsFor` may change what it is given, once its port is known. */
export async function setUpPlayer(depsFor: (port: number) => Partial<PlayerDeps> = () => ({})) {
  const database = await createTestDatabase()
  const db = await openDatabase({ url: database.url, poolSize: 4 })
  const folder = await mkdtemp(join(tmpdir(), 'reelgate-player-'))
  const storage = createStorage({ driver: 'folder', dir: folder })
  const meter = startBandwidthMeter(db, logger)
  const rows = await fillDatabase(db)
  const { videoId, accountId, signingSecret, masterKeys } = rows
  await storage.putBuffer(segmentKey(videoId, '360p', 1), Buffer.from('0123456789'), 'video/mp4')
  await storage.putBuffer(posterKey(videoId), Buffer.from('jpeg'), 'image/jpeg')

  const counted: number[] = []
  const countServed = (video: string, bytes: number): void => {
    counted.push(bytes)
    meter.count(video, bytes)
  }
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const app = await createPlayerApp({
    ...{ db, masterKeys, storage, countServed, logger },
    ...{ embedBase: 'https://play.example', mediaBase: 'https://cdn.example' },
    ...{ serviceDomains: [], directPlayBase: null, appStoreUrl: null, trustedProxies: 0 },
    ...depsFor(port),
  })
  server.on('request', app)
  const base = `http://127.0.0.1:${port}`
  /** The path of the video's embed page. */
  const embedPath = `/${videoId}/${encodeAccountId(accountId)}`
  const page = (query = '', headers: Record<string, string> = { Referer: SITE }) =>
    fetch(base + embedPath + query, { headers })

  return {
    ...{ ...rows, db, storage, meter, base, embedPath, page, databaseUrl: database.url },
    /** The bytes of each answer that was told to `countServed`. */
    counted,
    /** Changes the account's settings from those that a new account has. */
    configure: (change: Partial<PlayerSettings>) =>
      db.em
        .fork()
        .nativeUpdate(Account, accountId, { settings: { ...DEFAULT_PLAYER_SETTINGS, ...change } }),
    setVideo: (change: object) => db.em.fork().nativeUpdate(Video, { id: videoId }, change),
    vtFor: (viewerId: string, seconds = 60, secret = signingSecret) =>
      signViewerToken(
        { viewerId, expiresAtSeconds: Math.floor(Date.now() / 1000) + seconds },
        secret,
      ),
    /** The headers of a playback session that the page has just begun. */
    openSession: async (): Promise<Record<string, string>> => {
      const html = await (await page()).text()
      const [, json = '{}'] =
        /<script type="application\/json"[^>]*>(.*?)<\/script>/s.exec(html) ?? []
      return { 'X-Playback-Session': (JSON.parse(json) as { session: string }).session }
    },
    close: async (): Promise<void> => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await meter.stop()
      await db.close(true)
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** One account with one video that is ready, its rendition and its key. */
async function fillDatabase(db: Database) {
  const masterKeys = parseMasterKeys(randomBytes(32).toString('hex'))
  const signingSecret = randomBytes(32).toString('hex')
  const videoId = randomBytes(10).toString('hex')
  const contentKey = randomBytes(16)
  const keyId = randomBytes(16)
  const accountId = await createAccount(db.em.fork(), {
    ...{ name: 'Test', protection: 'clearkey', storageLimitBytes: null },
    sealSigningSecret: (id) => seal(masterKeys, signingSecret, `signing-secret:${id}`),
  })
  const em = db.em.fork()
  await em.insert(Video, {
    ...{ id: videoId, accountId, title: 'A <b>film</b>', sourceUrl: 'https://x.example/' },
    ...{ status: 'ready', protection: 'clearkey', hasPoster: true },
  })
  await em.insert(Rendition, { videoId, name: '360p', facts: rung })
  await em.insert(ContentKey, {
    ...{ videoId, trackType: 'SD', keyId: keyId.toString('hex'), systems: [] },
    sealedKey: seal(masterKeys, contentKey, `content-key:${videoId}:SD`),
  })
  const { sealedSigningSecret } = await em.findOneOrFail(Account, { id: accountId })
  return { masterKeys, signingSecret, sealedSigningSecret, videoId, contentKey, keyId, accountId }
}
