import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createAccount } from '../../commands/accounts/create-account.ts'
import { openDatabase } from '../../db/database.ts'
import type { EntityManager } from '../../db/database.ts'
import { Account } from '../../db/entities/account.ts'
import { Rendition, Video } from '../../db/entities/video.ts'
import { migrate } from '../../db/migrate.ts'
import { embedUrl } from '../../domain/embed-url.ts'
import { mediaPrefix } from '../../domain/media-paths.ts'
import type { PlayerSettings } from '../../domain/player-settings.ts'
import { freePort } from '../../scripts/embedded/ports.ts'
import { parseMasterKeys } from '../../security/sealing.ts'
import { openSigningSecret } from '../../security/secret-contexts.ts'
import { signViewerToken } from '../../security/viewer-token.ts'
import { createStorage } from '../../storage/object-storage.ts'
import { ingestVideo } from '../../test/fixtures/ingest-video.ts'
import { startServerProcess } from '../../test/infrastructure/server-process.ts'
import type { ServerProcess } from '../../test/infrastructure/server-process.ts'
import { startBenchPostgres } from '../bench-postgres.ts'
import { ensureFilm } from './film.ts'

/** A film in folder storage, the player process that serves it, and what its anchors need. */
export interface PlayerBenchWorld {
  player: ServerProcess
  databaseUrl: string
  /** Folder of the stored objects, each at its key. */
  objects: string
  videoId: string
  /** The path of the film's page, for everybody. */
  path: string
  /** The path of a page that plays only with the viewer token that is in it. */
  pathWithToken: string
  /** The media segments of the largest rendition: file names and bytes. */
  segments: { path: string; sizeBytes: number }[]
  /** For files of one run. */
  folder: string
  /** Starts a server on the core that is kept for servers. */
  startServer(script: string, options: StartOptions): Promise<ServerProcess>
  /** The settings of a production process on this database. */
  environment(portVariable: string, port: number): Record<string, string>
  /** Words that start a program on that core. */
  launcher: string[]
  close(): Promise<void>
}

interface StartOptions {
  port: number
  args?: string[]
  env?: Record<string, string>
}

/** Sent by the page of a site that embeds the film. */
export const SITE = 'https://site.example/'

/** Ingests the film, then starts the player as in production, on a core of its own. */
export async function openPlayerBenchWorld(launcher: string[]): Promise<PlayerBenchWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'reelgate-bench-player-'))
  const objects = join(folder, 'objects')
  await mkdir(objects)
  const postgres = await startBenchPostgres(folder)
  const masterKey = randomBytes(32).toString('hex')
  const films = await makeFilms(postgres.url, { masterKey, objects, folder })
  const environment = (portVariable: string, port: number): Record<string, string> => ({
    [portVariable]: String(port),
    DATABASE_URL: postgres.url,
    MASTER_KEY: masterKey,
    STORAGE_DIR: objects,
    LOG_LEVEL: 'info',
  })
  const startServer = (script: string, { port, args = [], env = {} }: StartOptions) =>
    startServerProcess({
      ...{ script, args, env, launcher, baseUrl: `http://127.0.0.1:${port}` },
      logFile: join(folder, `${script.replaceAll('/', '-')}.log`),
    })
  const port = await freePort()
  const env = environment('PLAYER_PORT', port)
  const player = await startServer('player/server/main.ts', { port, env })
  return {
    ...{ player, databaseUrl: postgres.url, objects, folder, startServer, environment, launcher },
    ...films,
    segments: await segmentsOf(objects, films.videoId),
    async close() {
      await player.stop()
      await postgres.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** One film for everybody, and one that asks for a viewer token. */
async function makeFilms(
  url: string,
  { masterKey, objects, folder }: { masterKey: string; objects: string; folder: string },
): Promise<Pick<PlayerBenchWorld, 'videoId' | 'path' | 'pathWithToken'>> {
  await migrate(url)
  const film = resolve('.cache', 'bench', 'film-720p-24s.mp4')
  await ensureFilm(film)
  const masterKeys = parseMasterKeys(masterKey)
  const db = await openDatabase({ url, poolSize: 4 })
  try {
    const em = db.em.fork()
    const storage = createStorage({ driver: 'folder', dir: objects })
    const account = (settings: Partial<PlayerSettings>) =>
      createAccount(em, masterKeys, { name: 'Bench', protection: 'clearkey', settings })
    const [open, strict] = [await account({}), await account({ watermark: REQUIRED })]
    const workDir = join(folder, 'work')
    const videoId = await ingestVideo(film, { db, masterKeys, storage, workDir, accountId: open })
    const secret = openSigningSecret(masterKeys, await em.findOneOrFail(Account, strict))
    const expiresAtSeconds = Math.floor(Date.now() / 1000) + 3600
    const vt = signViewerToken({ viewerId: 'viewer-42', expiresAtSeconds }, secret)
    return {
      videoId,
      path: embedUrl('', videoId, open),
      pathWithToken: embedUrl('', await copyRows(em, videoId, strict), strict, vt),
    }
  } finally {
    await db.close(true)
  }
}

/** The same film of another account, as far as its page needs it: without media. */
async function copyRows(em: EntityManager, videoId: string, accountId: number): Promise<string> {
  const id = randomBytes(10).toString('hex')
  const { title, sourceUrl, status, protection, hasPoster } = await em.findOneOrFail(Video, videoId)
  await em.insert(Video, { id, accountId, title, sourceUrl, status, protection, hasPoster })
  for (const { name, facts } of await em.find(Rendition, { videoId }))
    await em.insert(Rendition, { videoId: id, name, facts })
  return id
}

const REQUIRED = { enabled: true, required: true, opacity: 0.35, size: 'medium' } as const

const LARGEST = '720p'

async function segmentsOf(objects: string, videoId: string): Promise<PlayerBenchWorld['segments']> {
  const folder = join(objects, mediaPrefix(videoId), LARGEST)
  const names = (await readdir(folder)).filter((name) => name.endsWith('.m4s'))
  return Promise.all(
    names.map(async (name) => ({
      path: `/media/${videoId}/${LARGEST}/${name}`,
      sizeBytes: (await stat(join(folder, name))).size,
    })),
  )
}
