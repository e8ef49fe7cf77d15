import { mkdtemp, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { videoGone } from '../../commands/ingest/ingest-refusal.ts'
import { reserveStorage } from '../../commands/ingest/reserve-storage.ts'
import { transitionVideo } from '../../commands/videos/transition-video.ts'
import type { Video } from '../../db/entities/video.ts'
import { findPublished } from '../../db/videos/renditions.ts'
import { findVideoById } from '../../db/videos/videos.ts'
import type { FinishVideoInput } from '../../domain/ingest/ingest.ts'
import type { SourceFacts } from '../../domain/ingest/source-facts.ts'
import {
  AUTOMATIC_POSTER,
  frameName,
  mediaPrefix,
  posterKey,
  storyboardIndexKey,
  storyboardKey,
} from '../../domain/videos/media-paths.ts'
import type { PosterPlaceholders } from '../../domain/videos/poster-pictures.ts'
import type { Rendition as RenditionFacts } from '../../domain/videos/rendition.ts'
import { warningsOf, type VideoWarning } from '../../domain/videos/video-warnings.ts'
import { makePlaceholders } from '../../media/encode/make-placeholders.ts'
import { makeFrames, makePoster } from '../../media/encode/make-poster.ts'
import type { MediaWork } from '../../media/run-tool.ts'
import { endedVideos } from '../../metrics/ingest.ts'
import type { ActivityDeps } from '../deps.ts'
import { joinStoredTiles } from '../encode/storyboard-tiles.ts'
import { inToolTurn } from '../scratch/tool-turns.ts'
import { openWorkFolder, type WorkFolder } from '../scratch/work-folder.ts'
import { withSource, type OpenSource } from '../source/open-source.ts'
import { allEnded } from '../upkeep/all-ended.ts'
import { removeLateObjects } from '../upkeep/remove-late-objects.ts'
import { removeUnusedParts } from '../upkeep/remove-unused-parts.ts'
import { removeScratch } from './end-video.ts'
import { importExtras } from './import-extras.ts'
import { reportedWork, reportVideoProgress } from './report-progress.ts'

/** Makes the poster, the frames that another can be chosen from, and the storyboard; records duration and size, and marks the video as `ready` (video.ready). Removes the source unless the account keeps it; a kept source stays where it is stored (ADR 0032). */
export async function finishVideo(
  deps: ActivityDeps,
  { videoId, facts: source, renditions = [] }: FinishVideoInput,
): Promise<void> {
  const em = deps.db.em.fork()
  const video = await findVideoById(em, videoId)
  if (!video || video.status === 'failed' || video.status === 'queued') throw videoGone()
  // An earlier run was killed after its commit, so only the cleanup is left.
  if (video.status === 'ready') return removeScratch(deps, videoId)
  const published = await findPublished(em, videoId)
  requireAll(deps, videoId, renditions, published)
  const summary = summarize(published)
  const steps = { videoId, names: ['finish'] }
  const work = reportedWork(deps, reportVideoProgress(deps, steps, { fraction: 0 }))
  const folder = await openWorkFolder(deps, videoId)
  const artwork = await storeAll(deps, folder, { video, source, ...summary }, work)
  const sizeBytes = summary.sizeBytes + artwork.sizeBytes + artwork.keptBytes
  await em.transactional((tx) => reserveStorage(tx, video, sizeBytes))
  await removeUnusedParts(deps.storage, videoId, published, work)
  const { frameCount, posterPlaceholders, left } = artwork
  const change = {
    ...summary,
    sizeBytes,
    reservedBytes: 0,
    frameCount,
    posterPlaceholders,
    hasPoster: true,
    hasStoryboard: true,
    warnings: [...damageOf(published), ...(source.warnings ?? []), ...left],
  }
  if (!(await transitionVideo(em, videoId, 'ready', change))) throw videoGone()
  endedVideos.inc({ status: 'ready' })
  await removeScratch(deps, videoId)
}

/**
 * Refuses with `video_gone` unless all renditions are published that the workflow has made: a record that was restored does not have what was
 * recorded later, and the workflow does not repeat it. The sweep then begins the ingest again, which makes what is missing.
 */
function requireAll(
  { logger }: Pick<ActivityDeps, 'logger'>,
  videoId: string,
  names: string[],
  published: RenditionFacts[],
): void {
  const missing = names.filter((wanted) => !published.some(({ name }) => name === wanted))
  if (missing.length === 0) return
  logger.warn({ videoId, missing }, 'renditions are not recorded any more: the ingest begins again')
  throw videoGone()
}

interface Finished extends Summary {
  video: Video
  source: SourceFacts
}

/** Stores pictures and extras. Removes them if the video has ended meanwhile, also after an error: no attempt may follow. */
async function storeAll(
  deps: ActivityDeps,
  folder: WorkFolder,
  { video, source, ...summary }: Finished,
  work: MediaWork,
) {
  const { id: videoId } = video
  try {
    return await withSource(deps, folder, videoId, work, (opened, reading) =>
      inToolTurn(video.accountId, reading, async () => ({
        ...(await storeArtwork(deps, folder, { videoId, source, opened, ...summary }, reading)),
        left:
          source.hasExtras === false
            ? []
            : await importExtras(deps, folder, { videoId, opened, ...summary }, reading),
        keptBytes: video.keepOriginal ? opened.sizeBytes : 0,
      })),
    )
  } finally {
    const late = { videoId, prefix: mediaPrefix(videoId), isUsedBy: () => true }
    await removeLateObjects(deps, late, () => work.onProgress?.())
  }
}

function damageOf(renditions: RenditionFacts[]): VideoWarning[] {
  const worst = (wanted: RenditionFacts['kind']): number =>
    Math.max(
      0,
      ...renditions.flatMap(({ kind, damagedPercent }) =>
        kind === wanted ? (damagedPercent ?? 0) : [],
      ),
    )
  return warningsOf({ picture_damaged: worst('video'), sound_damaged: worst('audio') })
}

/** The poster reads a minute of keyframes; the frames read one each. */
const POSTER_SHARE = 0.5
/** Storing, placeholders and extras follow. */
const PICTURES_SHARE = 0.9

interface Artwork extends Summary {
  videoId: string
  source: SourceFacts
  opened: OpenSource
}

async function storeArtwork(
  deps: ActivityDeps,
  folder: WorkFolder,
  { videoId, source, opened, durationMs }: Artwork,
  work: MediaWork,
): Promise<{ sizeBytes: number; frameCount: number; posterPlaceholders: PosterPlaceholders }> {
  const sourcePath = opened.path
  // A new folder, because files that an earlier run stored must not be written to again.
  const outputDir = await mkdtemp(join(folder.path, 'artwork-'))
  const posterPath = join(outputDir, 'poster.jpg')
  const spritePath = join(outputDir, 'storyboard.jpg')
  const indexPath = join(outputDir, 'storyboard.vtt')
  const { onProgress } = work
  const tiled = { videoId, sourcePath, picture: source, durationMs, spritePath, indexPath }
  try {
    const picture = { ...work, sourcePath, video: source.video, durationMs }
    const [framePaths] = await Promise.all([
      makePoster({ ...picture, outputPath: posterPath }).then(() => {
        onProgress?.(POSTER_SHARE)
        return makeFrames({ ...picture, outputDir })
      }),
      joinStoredTiles(deps, folder, tiled, work),
    ])
    onProgress?.(PICTURES_SHARE)
    const files = [
      { key: posterKey(videoId), path: posterPath, type: 'image/jpeg' },
      { key: storyboardKey(videoId), path: spritePath, type: 'image/jpeg' },
      { key: storyboardIndexKey(videoId), path: indexPath, type: 'text/vtt' },
      ...framePaths.map((path, index) => ({
        key: posterKey(videoId, frameName(index + 1)),
        path,
        type: 'image/jpeg',
      })),
    ]
    await allEnded(
      files.map(({ key, path, type }) => deps.storage.putFile(key, path, type, onProgress)),
    )
    const stats = await Promise.all(files.map(({ path }) => stat(path)))
    const sizeBytes = stats.reduce((sum, { size }) => sum + size, 0)
    const posterPlaceholders = await placeholdersOf([posterPath, ...framePaths], work)
    return { sizeBytes, frameCount: framePaths.length, posterPlaceholders }
  } finally {
    await rm(outputDir, { recursive: true, force: true })
  }
}

/** Makes the placeholders of the poster, the first path, and of the frames after it. */
async function placeholdersOf(paths: string[], work: MediaWork): Promise<PosterPlaceholders> {
  const placeholders: PosterPlaceholders = {}
  for (const [index, placeholder] of (await makePlaceholders(paths, work)).entries())
    if (placeholder !== null)
      placeholders[index === 0 ? AUTOMATIC_POSTER : frameName(index)] = placeholder
  return placeholders
}

type Summary = ReturnType<typeof summarize>

function summarize(renditions: RenditionFacts[]) {
  const pictures = renditions.filter(({ kind }) => kind === 'video')
  const largest = pictures.reduce<RenditionFacts | undefined>(
    (best, one) => ((one.height ?? 0) > (best?.height ?? 0) ? one : best),
    undefined,
  )
  return {
    durationMs: Math.max(...renditions.map(({ durationMs }) => Math.round(durationMs))),
    sizeBytes: renditions.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    width: largest?.width ?? 0,
    height: largest?.height ?? 0,
  }
}
