import { rename, stat } from 'node:fs/promises'
import { Context } from '@temporalio/activity'
import type { Video } from '../db/entities/video.ts'
import { readReservation } from '../db/storage-reservation.ts'
import type { DownloadOutcome, IngestVideoInput } from '../domain/ingest.ts'
import { SourceError } from '../egress/source-error.ts'
import type { ActivityDeps } from './deps.ts'
import { fetchSource } from './fetch-source.ts'
import { followFile } from './follow-file.ts'
import type { FollowedFile } from './follow-file.ts'
import { findLiveVideo, videoGone } from './ingest-step.ts'
import { reportVideoProgress } from './report-progress.ts'
import type { Report } from './report-progress.ts'
import { ensureSourceKey } from './source-keys.ts'
import { createDownloadReservation } from './storage-reservation.ts'
import { storeSource, storedSourceBytes } from './store-source.ts'
import { exists, openWorkFolder } from './work-folder.ts'
import type { WorkFolder } from './work-folder.ts'

interface DownloadAttempt {
  video: Video
  folder: WorkFolder
  signal: AbortSignal
  report: Report
  stallMs: number | undefined
}

/**
 * Makes one download attempt: fetches the source through the egress guard, resuming an earlier attempt,
 * and stores it encrypted while it arrives (ADR 0032). Reserves the received bytes in the account's plan. Returns a
 * failure of the source as a value, because the workflow counts the contract's three attempts (contract, "Limits").
 */
export function createDownloadSource(deps: ActivityDeps, stallMs?: number) {
  return async function downloadSource({ videoId }: IngestVideoInput): Promise<DownloadOutcome> {
    const { info, cancellationSignal: signal } = Context.current()
    const video = await findLiveVideo(deps.db.em.fork(), videoId)
    const folder = await openWorkFolder(deps, videoId)
    const first = { fraction: null, bytes: 0 }
    const report = reportVideoProgress(deps, { videoId, names: ['download'] }, first)
    const key = await ensureSourceKey(deps, videoId)
    // An earlier attempt may have ended after its last write, on this machine or another one.
    const isRepeated = info.attempt > 1 || (await exists(folder.sourcePath))
    const stored = isRepeated ? await storedSourceBytes(deps.storage, key) : null
    if (stored !== null) return { ok: true, sizeBytes: stored }
    const arriving = followFile([folder.partialPath, folder.sourcePath])
    const storing = storeSource(deps.storage, key, reported(arriving, report, signal))
    // It may fail before the download ends, and is awaited after it.
    storing.catch(() => {})
    try {
      const sizeBytes = await receive(deps, arriving, { video, folder, signal, report, stallMs })
      await storing
      return { ok: true, sizeBytes }
    } catch (error) {
      arriving.fail(error)
      // Removes what is stored so far.
      await storing.catch(() => {})
      if (error instanceof SourceError)
        return { ok: false, code: error.code, message: error.message }
      throw error
    }
  }
}

/** Resolves to the size of the source once this machine has it, and its plan has room for it. */
async function receive(
  deps: ActivityDeps,
  arriving: FollowedFile,
  attempt: DownloadAttempt,
): Promise<number> {
  const { folder, video } = attempt
  const reservation = createDownloadReservation(deps.db, video)
  if (!(await exists(folder.sourcePath))) {
    const before = await readReservation(deps.db.em.fork(), video.id)
    if (!before) throw videoGone()
    await fetchSource(deps.egress, {
      ...attempt,
      url: video.sourceUrl,
      availableBytes: Math.max(before.roomBytes, before.reservedBytes),
      reservation,
      onWritten: (bytes) => arriving.grewTo(bytes),
      report: (bytes, total) => attempt.report({ fraction: total ? bytes / total : null, bytes }),
    })
    await rename(folder.partialPath, folder.sourcePath)
  }
  const { size } = await stat(folder.sourcePath)
  await reservation.settle(size)
  arriving.grewTo(size)
  arriving.end()
  return size
}

/** The bytes of a source. Once it has arrived, storing it counts as progress of the step. */
async function* reported(
  arriving: FollowedFile,
  report: Report,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  for await (const chunk of arriving.chunks()) {
    signal.throwIfAborted()
    if (arriving.isComplete()) report({ fraction: 1 })
    yield chunk
  }
}
