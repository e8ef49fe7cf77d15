import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { openDatabase } from '../../../db/database.ts'
import type { Database } from '../../../db/database.ts'
import { encodeAccountId } from '../../../domain/embed-url.ts'
import { parseMasterKeys } from '../../../security/sealing.ts'
import type { MasterKeys } from '../../../security/sealing.ts'
import { signViewerToken } from '../../../security/viewer-token.ts'
import { createStorage } from '../../../storage/object-storage.ts'
import type { ObjectStorage } from '../../../storage/object-storage.ts'
import { createTestDatabase } from '../../../test/services/index.ts'
import { createPlayerApp } from '../app.ts'
import type { PlayerDeps } from '../deps.ts'
import type { PlayerData } from '../../player-data.ts'
import { insertFilm, RUNG, SITE } from './insert-film.ts'

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
  /** What of it is worse than the lines about requests. */
  warnings: () => string[]
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

/** Opens the world; `change` replaces what the host is given. Close it. */
export async function openPlaybackWorld(change: Partial<PlayerDeps> = {}): Promise<PlaybackWorld> {
  const database = await createTestDatabase()
  const db = await openDatabase({ url: database.url, poolSize: 4 })
  const folder = await mkdtemp(join(tmpdir(), 'reelgate-playback-'))
  const storage = change.storage ?? createStorage({ driver: 'folder', dir: folder })
  const masterKeys = parseMasterKeys(randomBytes(32).toString('hex'))
  const secret = randomBytes(32).toString('hex')
  const film = await insertFilm(
    db,
    { masterKeys, signingSecret: secret },
    { title: 'A film', durationMs: 120_000, rung: { ...RUNG, sizeBytes: 22 } },
  )
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
    warnings: () => lines.filter((line) => (JSON.parse(line) as { level: number }).level > 30),
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
