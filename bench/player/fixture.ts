import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, mkdir, readdir, rename, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { createAccount } from '../../commands/accounts/create-account.ts'
import { openDatabase, type EntityManager } from '../../db/database.ts'
import { Account } from '../../db/entities/account.ts'
import { Rendition, Video } from '../../db/entities/video.ts'
import { migrate } from '../../db/migrate.ts'
import { embedUrl } from '../../domain/playback/embed-url.ts'
import type { PlayerSettings } from '../../domain/settings/player-settings.ts'
import { mediaPrefix } from '../../domain/videos/media-paths.ts'
import { parseMasterKeys } from '../../security/sealing/sealing.ts'
import { openSigningSecret } from '../../security/sealing/secret-contexts.ts'
import { signViewerToken } from '../../security/tokens/viewer-token.ts'
import { createStorage } from '../../storage/object-storage.ts'
import { ingestVideo } from '../../test/fixtures/ingest-video.ts'
import { makeSource } from '../../test/fixtures/sources.ts'
import type { ServerProcess } from '../../test/infrastructure/server-process.ts'
import { openBenchServers, type BenchServers } from '../servers.ts'

/** A segment at its address. */
export interface SegmentFile {
  path: string
  sizeBytes: number
}

/** A video in folder storage and the player process that serves it. */
export interface PlayerBenchFixture {
  servers: BenchServers
  player: ServerProcess
  /** Folder of the stored objects, each at its key. */
  objects: string
  videoId: string
  /** The path of the public embed page. */
  path: string
  /** The path of an embed page that requires its viewer token. */
  pathWithToken: string
  /** The media segments of the largest rendition, and of the one whose segments are nearest to 200 kB. */
  segments: { large: SegmentFile[]; small: SegmentFile[] }
  close(): Promise<void>
}

/** Referer of a page that embeds the video. */
export const SITE = 'https://site.example/'

/** Ingests a video and starts the player with production settings on the reserved core. */
export async function openPlayerBenchFixture(launcher: string[]): Promise<PlayerBenchFixture> {
  const servers = await openBenchServers('player', launcher)
  const objects = join(servers.folder, 'objects')
  await mkdir(objects)
  const videos = await makeVideos(servers, objects)
  const player = await servers.startService('player/server/main.ts', 'PLAYER_PORT', {
    STORAGE_DIR: objects,
  })
  return {
    servers,
    player,
    objects,
    ...videos,
    segments: await segmentsOf(objects, videos.videoId),
    close: () => servers.close(),
  }
}

/** A source of 24 seconds at 720p, once the fixture is open. */
export const SOURCE = resolve('.cache', 'bench', 'source-720p-24s.mp4')

/** Ingests a public video, and copies it to an account that requires viewer tokens. */
async function makeVideos(
  { databaseUrl: url, masterKey, folder }: BenchServers,
  objects: string,
): Promise<Pick<PlayerBenchFixture, 'videoId' | 'path' | 'pathWithToken'>> {
  await migrate(url)
  const source = await ensureSource(SOURCE)
  const masterKeys = parseMasterKeys(masterKey)
  const db = await openDatabase({ url, poolSize: 4 })
  try {
    const em = db.em.fork()
    const storage = createStorage({ driver: 'folder', dir: objects })
    const account = (settings: Partial<PlayerSettings>) =>
      createAccount(em, masterKeys, { name: 'Bench', protection: 'clearkey', settings })
    const [open, strict] = [await account({}), await account({ watermark: REQUIRED })]
    const workDir = join(folder, 'work')
    const videoId = await ingestVideo(source, { db, masterKeys, storage, workDir, accountId: open })
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

/** Makes 24 s of 720p once; later runs reuse it. Its segments are as large as the ladder allows. */
async function ensureSource(path: string): Promise<string> {
  if (existsSync(path)) return path
  await mkdir(dirname(path), { recursive: true })
  const unfinished = `${path}.part.mp4`
  await makeSource(unfinished, { seconds: 24, size: '1280x720' })
  await rename(unfinished, path)
  return path
}

/** Copies the rows that the embed page needs to another account, without media. */
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
const SMALL_BYTES = 200_000

/** Links the files of all renditions to their addresses, because nginx and the bare page serve files by their paths. */
async function segmentsOf(
  objects: string,
  videoId: string,
): Promise<PlayerBenchFixture['segments']> {
  const folder = join(objects, mediaPrefix(videoId))
  const files = (await readdir(folder, { recursive: true })).filter((path) =>
    /\.(m4s|mp4)$/.test(path),
  )
  const linked = await Promise.all(
    files.map(async (path) => {
      const [rendition = ''] = path.split('/')
      const name = join(rendition, basename(path))
      if (name !== path) await link(join(folder, path), join(folder, name))
      const { size: sizeBytes } = await stat(join(folder, name))
      return { path: `/media/${videoId}/${name}`, sizeBytes }
    }),
  )
  const renditions = Map.groupBy(
    linked.filter(({ path }) => path.endsWith('.m4s')),
    ({ path }) => basename(dirname(path)),
  )
  const small = [...renditions.values()].toSorted((a, b) => fromSmall(a) - fromSmall(b))[0] ?? []
  return { large: renditions.get(LARGEST) ?? [], small }
}

/** How far the mean size of segments is from `SMALL_BYTES`, as the logarithm of their ratio. */
const fromSmall = (files: readonly SegmentFile[]): number =>
  Math.abs(Math.log(meanBytes(files) / SMALL_BYTES))

/** Returns the mean size of files in bytes. */
export const meanBytes = (files: readonly SegmentFile[]): number =>
  files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) / files.length
