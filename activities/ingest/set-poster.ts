import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Context } from '@temporalio/activity'
import pLimit from 'p-limit'
import { publishUploadedPoster, refuseUploadedPoster } from '../../commands/videos/upload-poster.ts'
import { findWaitingUpload } from '../../db/videos/poster-uploads.ts'
import { findVideoById } from '../../db/videos/videos.ts'
import type { SetPosterInput } from '../../domain/ingest/ingest.ts'
import {
  posterKey,
  uploadName,
  uploadNumberOf,
  uploadPrefix,
  uploadsPrefix,
} from '../../domain/videos/media-paths.ts'
import type { PictureFormat } from '../../domain/videos/picture.ts'
import { encodePicture } from '../../media/encode/encode-picture.ts'
import { makePlaceholders } from '../../media/encode/make-placeholders.ts'
import { MediaError, type MediaErrorCode } from '../../media/media-error.ts'
import type { MediaWork } from '../../media/run-tool.ts'
import type { ActivityDeps } from '../deps.ts'
import { reportedWork, reportProgress } from './report-progress.ts'

type Deps = Pick<ActivityDeps, 'db' | 'storage' | 'ownDir' | 'stallMs' | 'logger'>

/** How often a decoder may crash or hang before the file counts as the cause: machines that lack memory kill tools too. */
const TOOL_ATTEMPTS = 3
const TOOL_CODES: readonly MediaErrorCode[] = ['tool_failed', 'stalled']

/**
 * Makes an uploaded picture the poster of its video, or records why it is refused; then removes uploaded pictures that
 * it replaces. Does nothing for an upload that was replaced or withdrawn. Safe to run twice: an upload has an object
 * of its own, and one transaction publishes it.
 */
export function createSetPoster(deps: Deps) {
  // One picture at a time: a decoder may need 450 MB (measured with 50 million pixels of 64 bits).
  const alone = pLimit(1)
  return async function setPoster(input: SetPosterInput): Promise<void> {
    const work = reportedWork(deps, reportProgress({ fraction: null }))
    const upload = await findWaitingUpload(deps.db.em.fork(), input)
    if (upload) await alone(() => storeUpload(deps, input, upload, work))
    await removeReplacedUploads(deps, input, work)
  }
}

interface Upload {
  content: Uint8Array
  format: PictureFormat
}

async function storeUpload(
  deps: Deps,
  input: SetPosterInput,
  { content, format }: Upload,
  work: MediaWork,
): Promise<void> {
  await mkdir(deps.ownDir, { recursive: true, mode: 0o700 })
  const folder = await mkdtemp(join(deps.ownDir, 'poster-'))
  const [inputPath, outputPath] = [join(folder, 'upload'), join(folder, 'poster.jpg')]
  try {
    await writeFile(inputPath, content, { mode: 0o600 })
    await encodePicture({ ...work, inputPath, outputPath, format })
    const key = posterKey(input.videoId, uploadName(input.number))
    await deps.storage.putFile(key, outputPath, 'image/jpeg', work.onProgress)
    const { size: sizeBytes } = await stat(outputPath)
    const [placeholder = null] = await makePlaceholders([outputPath], work)
    const stored = { sizeBytes, placeholder }
    await deps.db.em.fork().transactional((tx) => publishUploadedPoster(tx, input, stored))
  } catch (error) {
    if (!(error instanceof MediaError) || !isFaultOfFile(error)) throw error
    deps.logger.info({ videoId: input.videoId, code: error.code }, 'an uploaded poster was refused')
    await refuseUploadedPoster(deps.db.em.fork(), input)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function isFaultOfFile({ code }: MediaError): boolean {
  if (TOOL_CODES.includes(code)) return Context.current().info.attempt >= TOOL_ATTEMPTS
  return code !== 'aborted'
}

/**
 * Removes the objects of this upload and of earlier ones, except that which the video has. Later uploads remove their
 * own. A deleted video has none.
 */
async function removeReplacedUploads(
  { db, storage }: Deps,
  { videoId, number }: SetPosterInput,
  { onProgress }: MediaWork,
): Promise<void> {
  const stored: number[] = []
  for await (const { key } of storage.list(uploadsPrefix(videoId))) stored.push(uploadNumberOf(key))
  const video = await findVideoById(db.em.fork(), videoId)
  for (const one of stored)
    if (one <= number && one !== video?.uploadNumber)
      await storage.deletePrefix(uploadPrefix(videoId, one), onProgress)
}
