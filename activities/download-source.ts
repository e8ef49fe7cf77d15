import { rename, stat } from 'node:fs/promises'
import { Context } from '@temporalio/activity'
import { readReservation } from '../db/storage-reservation.ts'
import type { DownloadOutcome, IngestVideoInput } from '../domain/ingest.ts'
import { sourceKey } from '../domain/media-paths.ts'
import { SourceError } from '../egress/source-error.ts'
import type { ActivityDeps } from './deps.ts'
import { fetchSource } from './fetch-source.ts'
import { findLiveVideo, videoGone } from './ingest-step.ts'
import { reportVideoProgress } from './report-progress.ts'
import { createDownloadReservation } from './storage-reservation.ts'
import { exists, openWorkFolder } from './work-folder.ts'

/**
 * Makes one download attempt: fetches the source through the egress guard, resuming an earlier attempt,
 * and stores it. Reserves the received bytes in the account's plan. Returns a failure of the source as a
 * value, because the workflow counts the contract's three attempts (contract, "Limits").
 */
export function createDownloadSource(deps: ActivityDeps, stallMs?: number) {
  return async function downloadSource({ videoId }: IngestVideoInput): Promise<DownloadOutcome> {
    const context = Context.current()
    const em = deps.db.em.fork()
    const video = await findLiveVideo(em, videoId)
    const folder = await openWorkFolder(deps, videoId)
    const reservation = createDownloadReservation(deps.db, video)
    const first = { fraction: null, bytes: 0 }
    const reportStep = reportVideoProgress(deps, { videoId, names: ['download'] }, first)
    const report = (bytes: number, total: number | null): void =>
      reportStep({ fraction: total ? bytes / total : null, bytes })
    try {
      if (!(await exists(folder.sourcePath))) {
        const before = await readReservation(em, videoId)
        if (!before) throw videoGone()
        const availableBytes = Math.max(before.roomBytes, before.reservedBytes)
        const signal = context.cancellationSignal
        await fetchSource(deps.egress, {
          url: video.sourceUrl,
          folder,
          availableBytes,
          reservation,
          signal,
          report,
          stallMs,
        })
        await rename(folder.partialPath, folder.sourcePath)
      }
      await reservation.settle((await stat(folder.sourcePath)).size)
    } catch (error) {
      if (error instanceof SourceError)
        return { ok: false, code: error.code, message: error.message }
      throw error
    }
    await storeOnce(deps, folder.sourcePath, videoId, () => reportStep({ fraction: 1 }))
    const { size: sizeBytes } = await stat(folder.sourcePath)
    return { ok: true, sizeBytes }
  }
}

/** Stores the source once. Other machines encode from object storage; this one keeps its copy. */
async function storeOnce(
  deps: ActivityDeps,
  path: string,
  videoId: string,
  onProgress: () => void,
): Promise<void> {
  const key = sourceKey(videoId)
  const [local, stored] = await Promise.all([stat(path), deps.storage.stat(key)])
  if (stored?.sizeBytes === local.size) return
  await deps.storage.putFile(key, path, 'application/octet-stream', onProgress)
}
