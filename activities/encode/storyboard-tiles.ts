import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pLimit from 'p-limit'
import type { SourceFacts } from '../../domain/ingest/source-facts.ts'
import { tileKey, tileSecondOf, tilesPrefix } from '../../domain/videos/media-paths.ts'
import { framesPerSecond } from '../../domain/videos/rendition.ts'
import { chooseTiles, tileSize, tileTimes, type TileTimes } from '../../domain/videos/storyboard.ts'
import { joinTiles, makeTiles } from '../../media/encode/make-storyboard.ts'
import { toneMap } from '../../media/encode/picture-filter.ts'
import type { MediaWork } from '../../media/run-tool.ts'
import type { ObjectStorage } from '../../storage/object-storage.ts'
import type { ActivityDeps } from '../deps.ts'
import type { WorkFolder } from '../scratch/work-folder.ts'
import { removeLateObjects } from '../upkeep/remove-late-objects.ts'

type Picture = Pick<SourceFacts, 'durationMs' | 'video'>
type StorageDeps = Pick<ActivityDeps, 'storage'>

export interface EncodedPart {
  videoId: string
  picture: Picture
  /** The encoder's output for a chunk of the first rung. */
  encodedPath: string
  startFrame: number
  frames: number
  /** True if the video has one chunk. */
  isOnly: boolean
}

const CONCURRENCY = 16

/**
 * Makes the tiles of the storyboard that lie in a chunk, and stores them, because another machine may finish the
 * video. They are as public as the storyboard, so they are not encrypted. A repeated run replaces them.
 */
export async function storeTiles(
  deps: Pick<ActivityDeps, 'db' | 'storage'>,
  folder: WorkFolder,
  part: EncodedPart,
  work: MediaWork,
): Promise<void> {
  const { videoId, picture, encodedPath, startFrame, frames, isOnly } = part
  const rate = framesPerSecond(picture.video.frameRate)
  const [startSeconds, endSeconds] = [startFrame / rate, (startFrame + frames) / rate]
  const videoSeconds = isOnly ? endSeconds : (picture.durationMs ?? 0) / 1000
  const times = tileTimes(startSeconds, endSeconds, videoSeconds)
  const input = { inputPath: encodedPath, streamIndex: 0, startSeconds, times }
  await makeAndStore(deps.storage, folder, { videoId, picture, ...input }, work)
  await removeLateObjects(deps, { videoId, prefix: tilesPrefix(videoId) }, work.onProgress)
}

interface Input {
  videoId: string
  picture: Picture
  inputPath: string
  /** Encoder output is tone-mapped already. */
  isSource?: boolean
  streamIndex: number
  startSeconds: number
  times: TileTimes
}

async function makeAndStore(
  storage: ObjectStorage,
  folder: WorkFolder,
  { videoId, picture, isSource = false, ...input }: Input,
  work: MediaWork,
): Promise<void> {
  const { video } = picture
  const outputDir = await mkdtemp(join(folder.path, 'tiles-'))
  try {
    const tiles = await makeTiles({
      ...work,
      ...input,
      outputDir,
      size: tileSize(video.displayWidth, video.displayHeight),
      filters: isSource ? toneMap(video) : [],
    })
    await pLimit(CONCURRENCY).map(tiles, ({ second, path }) =>
      storage.putFile(tileKey(videoId, second), path, 'image/jpeg', work.onProgress),
    )
  } finally {
    await rm(outputDir, { recursive: true, force: true })
  }
}

export interface VideoOfTiles {
  videoId: string
  /** For a video without stored tiles. */
  sourcePath: string
  picture: Picture
  /** The true length of the video. */
  durationMs: number
  spritePath: string
  indexPath: string
}

/** Joins the stored tiles of a video to its storyboard. */
export async function joinStoredTiles(
  deps: StorageDeps,
  folder: WorkFolder,
  video: VideoOfTiles,
  work: MediaWork,
): Promise<void> {
  const { storage } = deps
  const { videoId, picture, durationMs, spritePath } = video
  let stored = await listTiles(storage, videoId)
  if (stored.length === 0) {
    await storeTilesOfSource(deps, folder, video, work)
    stored = await listTiles(storage, videoId)
  }
  const seconds = chooseTiles(stored, durationMs)
  const tilesPath = `${spritePath}.tiles`
  await writeFile(tilesPath, await readTiles(storage, videoId, seconds))
  const size = tileSize(picture.video.displayWidth, picture.video.displayHeight)
  await joinTiles({ ...work, ...video, tilesPath, seconds, size })
}

/** Makes all tiles from the source, for a video whose first rung was encoded before tiles were stored. */
async function storeTilesOfSource(
  { storage }: StorageDeps,
  folder: WorkFolder,
  { videoId, picture, durationMs, sourcePath }: VideoOfTiles,
  work: MediaWork,
): Promise<void> {
  const seconds = durationMs / 1000
  const { video } = picture
  const times = tileTimes(0, seconds, seconds)
  const input = { inputPath: sourcePath, streamIndex: video.index, startSeconds: 0, times }
  await makeAndStore(storage, folder, { videoId, picture, isSource: true, ...input }, work)
}

const TILE_MAX_BYTES = 1_000_000

/** Reads tiles one behind the other. */
async function readTiles(
  storage: ObjectStorage,
  videoId: string,
  seconds: number[],
): Promise<Buffer> {
  const tiles = await pLimit(CONCURRENCY).map(seconds, async (second) => {
    const body = (await storage.read(tileKey(videoId, second), TILE_MAX_BYTES))?.body
    if (!body) throw new Error(`the tile of second ${second} is missing`)
    return body
  })
  return Buffer.concat(tiles)
}

async function listTiles(storage: ObjectStorage, videoId: string): Promise<number[]> {
  const seconds: number[] = []
  for await (const { key } of storage.list(tilesPrefix(videoId))) seconds.push(tileSecondOf(key))
  return seconds
}
