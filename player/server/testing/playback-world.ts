import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { createAccount } from '../../../db/accounts.ts'
import { openDatabase } from '../../../db/database.ts'
import type { Database } from '../../../db/database.ts'
import { ContentKey, Rendition, Video } from '../../../db/entities/video.ts'
import { encodeAccountId } from '../../../domain/embed-url.ts'
import type { Rendition as RenditionFacts } from '../../../domain/rendition.ts'
import { parseMasterKeys, seal } from '../../../security/sealing.ts'
import type { MasterKeys } from '../../../security/sealing.ts'
import { signViewerToken } from '../../../security/viewer-token.ts'
import { createStorage } from '../../../storage/object-storage.ts'
import type { ObjectStorage } from '../../../storage/object-storage.ts'
import { createTestDatabase } from '../../../test/services/index.ts'
import { createPlayerApp } from '../app.ts'
import type { PlayerDeps } from '../deps.ts'
import type { PlayerData } from '../../player-data.ts'

/** A player host on a free port, with a database and a storage of its own and one video that plays. */
export interface PlaybackWorld {
  db: Database
  storage: ObjectStorage
  masterKeys: MasterKeys
  base: string
  accountId: number
  videoId: string
  keyId: Buffer
  contentKey: Buffer
  /** Everything that the host has logged. */
  logged: () => string
  /** The bytes of each answer that was counted. */
  counted: number[]
  vtFor: (viewerId: string, seconds?: number) => string
  /** The data of the embed page, loaded as from a site. */
  openPage: (options?: { vt?: string; headers?: Record<string, string> }) => Promise<PlayerData>
  /** A request to the host with a session; an object as `body` goes as JSON. */
  ask: (
    path: string,
    options?: { session?: string; method?: string; body?: unknown },
  ) => Promise<Response>
  close: () => Promise<void>
}

export const SITE = 'https://site.example/page'

const RUNG: RenditionFacts = {
  ...{ kind: 'video', name: '360p', trackType: 'SD', codecs: 'avc1.64001e', width: 640 },
  ...{ height: 360, frameRate: '30/1', language: null, label: null, channels: null },
  ...{ sampleRate: null, bandwidthBps: 900_000, averageBandwidthBps: 800_000, timescale: 15_360 },
  segments: [
    { durationTicks: 61_440, sizeBytes: 10 },
    { durationTicks: 30_720, sizeBytes: 5 },
  ],
  ...{ durationMs: 6_000, sizeBytes: 22 },
}

/** Opens the world; `change` replaces what the host is given. Close it. */
export async function openPlaybackWorld(change: Partial<PlayerDeps> = {}): Promise<PlaybackWorld> {
  const database = await createTestDatabase()
  const db = await openDatabase({ url: database.url, poolSize: 4 })
  const folder = await mkdtemp(join(tmpdir(), 'reelgate-playback-'))
  const storage = change.storage ?? createStorage({ driver: 'folder', dir: folder })
  const masterKeys = parseMasterKeys(randomBytes(32).toString('hex'))
  const secret = randomBytes(32).toString('hex')
  const film = { ...(await insertFilm(db, masterKeys, secret)) }
  const lines: string[] = []
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => (lines.push(chunk.toString()), done()),
  })
  const counted: number[] = []
  const deps: PlayerDeps = {
    ...{
      db,
      masterKeys,
      storage,
      serviceDomains: [],
      directPlayBase: null,
      appStoreUrl: null,
      trustedProxies: 0,
    },
    ...{ embedBase: 'https://play.example', mediaBase: 'https://play.example' },
    countServed: (_videoId, bytes) => void counted.push(bytes),
    logger: pino({ level: 'trace' }, sink),
    ...change,
  }
  const app = await createPlayerApp(deps)
  const server = await new Promise<Server>((resolve) => {
    const listening = createServer(app).listen(0, '127.0.0.1', () => resolve(listening))
  })
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const page = `${base}/${film.videoId}/${encodeAccountId(film.accountId)}`
  return {
    ...{ db, storage, masterKeys, base, counted, ...film, logged: () => lines.join('') },
    vtFor: (viewerId, seconds = 3600) => {
      const expiresAtSeconds = Math.floor(Date.now() / 1000) + seconds
      return signViewerToken({ viewerId, expiresAtSeconds }, secret)
    },
    openPage: async ({ vt, headers = {} } = {}) => {
      const query = vt === undefined ? '' : `?vt=${encodeURIComponent(vt)}`
      const response = await fetch(page + query, { headers: { Referer: SITE, ...headers } })
      const html = await response.text()
      if (response.status !== 200) throw new Error(`${response.status}: ${html}`)
      return JSON.parse(/id="player-data">(.*?)<\/script>/s.exec(html)?.[1] ?? '') as PlayerData
    },
    ask: (path, { session, method = 'GET', body } = {}) =>
      fetch(base + path, {
        method,
        headers: session === undefined ? {} : { 'X-Playback-Session': session },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await db.close(true)
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** An account with a video of two minutes that plays, its rendition and its key. */
async function insertFilm(db: Database, masterKeys: MasterKeys, secret: string) {
  const accountId = await createAccount(db.em.fork(), {
    ...{ name: 'Test', protection: 'clearkey', storageLimitBytes: null },
    sealSigningSecret: (id) => seal(masterKeys, secret, `signing-secret:${id}`),
  })
  const videoId = randomBytes(10).toString('hex')
  const [keyId, contentKey] = [randomBytes(16), randomBytes(16)]
  const em = db.em.fork()
  await em.insert(Video, {
    ...{ id: videoId, accountId, title: 'A film', sourceUrl: 'https://x.example/' },
    ...{ status: 'ready', protection: 'clearkey', durationMs: 120_000 },
  })
  await em.insert(Rendition, { videoId, name: '360p', facts: RUNG })
  await em.insert(ContentKey, {
    ...{ videoId, trackType: 'SD', keyId: keyId.toString('hex'), systems: [] },
    sealedKey: seal(masterKeys, contentKey, `content-key:${videoId}:SD`),
  })
  return { accountId, videoId, keyId, contentKey }
}
