import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { openDatabase } from '../../../db/database.ts'
import type { Database } from '../../../db/database.ts'
import { Account } from '../../../db/entities/account.ts'
import { Video } from '../../../db/entities/video.ts'
import { encodeAccountId } from '../../../domain/embed-url.ts'
import { posterKey, segmentKey } from '../../../domain/media-paths.ts'
import { DEFAULT_PLAYER_SETTINGS } from '../../../domain/player-settings.ts'
import type { PlayerSettings } from '../../../domain/player-settings.ts'
import { parseMasterKeys } from '../../../security/sealing.ts'
import { signViewerToken } from '../../../security/viewer-token.ts'
import { createStorage } from '../../../storage/object-storage.ts'
import { createTestDatabase } from '../../../test/services/index.ts'
import { createPlayerApp } from '../app.ts'
import { startBandwidthMeter } from '../bandwidth-meter.ts'
import type { PlayerDeps } from '../deps.ts'
import { insertFilm, SITE } from './insert-film.ts'

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

/** What the world's video is made with. */
async function fillDatabase(db: Database) {
  const masterKeys = parseMasterKeys(randomBytes(32).toString('hex'))
  const signingSecret = randomBytes(32).toString('hex')
  const video = { title: 'A <b>film</b>', hasPoster: true }
  const film = await insertFilm(db, { masterKeys, signingSecret }, video)
  const { sealedSigningSecret } = await db.em.fork().findOneOrFail(Account, { id: film.accountId })
  return { masterKeys, signingSecret, sealedSigningSecret, ...film }
}
