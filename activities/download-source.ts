import { rename, rm, stat } from 'node:fs/promises'
import { Context } from '@temporalio/activity'
import type { Video } from '../db/entities/video.ts'
import { readReservation } from '../db/storage-reservation.ts'
import type { DownloadOutcome, IngestVideoInput } from '../domain/ingest.ts'
import { sourcePrefix } from '../domain/media-paths.ts'
import { SourceError } from '../egress/source-error.ts'
import { newSourceId } from '../security/encrypted-source.ts'
import type { ActivityDeps } from './deps.ts'
import { fetchSource } from './fetch-source.ts'
import { followFile } from './follow-file.ts'
import type { FollowedFile } from './follow-file.ts'
import { findLiveVideo, videoGone } from './ingest-step.ts'
import { removeLateObjects } from './remove-late-objects.ts'
import { reportVideoProgress } from './report-progress.ts'
import type { Report } from './report-progress.ts'
import { ensureSourceKey, readSourceKey, recordSource } from './source-keys.ts'
import type { SourceOf } from './source-keys.ts'
import { freeScratchAfter, reserveScratch, scratchFull } from './scratch-reservation.ts'
import { scratchSpaceOf } from './scratch-space.ts'
import type { ScratchSpace } from './scratch-space.ts'
import { createDownloadReservation } from './storage-reservation.ts'
import type { DownloadReservation } from './storage-reservation.ts'
import { findStoredSource, storeSource } from './store-source.ts'
import { exists, openWorkFolder } from './work-folder.ts'
import type { WorkFolder } from './work-folder.ts'

interface DownloadAttempt {
  video: Video
  /** What was recorded as stored before the attempt. */
  before: SourceOf
  folder: WorkFolder
  signal: AbortSignal
  report: Report
  stallMs: number | undefined
  space: ScratchSpace
}

/**
 * Makes one download attempt: fetches the source through the egress guard, resuming an earlier attempt,
 * and stores it encrypted while it arrives (ADR 0032). Reserves the received bytes in the account's plan. Returns a
 * failure of the source as a value, because the workflow counts the contract's three attempts (contract, "Limits").
 * A source that is stored already is used, whichever attempt or machine stored it: the link may have expired.
 */
export function createDownloadSource(deps: ActivityDeps, stallMs?: number) {
  const space = scratchSpaceOf(deps.workDir)
  return async function downloadSource({ videoId }: IngestVideoInput): Promise<DownloadOutcome> {
    const signal = Context.current().cancellationSignal
    const video = await findLiveVideo(deps.db.em.fork(), videoId)
    const folder = await openWorkFolder(deps, videoId)
    const first = { fraction: null, bytes: 0 }
    const report = reportVideoProgress(deps, { videoId, names: ['download'] }, first)
    const { isNew, ...before } = await ensureSourceKey(deps, videoId)
    const stored = isNew ? null : await useStored(deps, folder, before)
    if (stored !== null) return { ok: true, sizeBytes: stored }
    const sourceId = newSourceId()
    const arriving = followFile([folder.partialPath, folder.receivedPath], deps.storage.partBytes)
    const chunks = reported(arriving, report, signal)
    const storing = storeSource(deps.storage, before, chunks, sourceId)
    // It may fail before the download ends, and is awaited after it.
    storing.catch(() => {})
    try {
      const attempt = { video, before, folder, signal, report, stallMs, space }
      const sizeBytes = await receive(deps, arriving, attempt)
      await storing
      // A ready video whose account keeps originals has the source.
      const late = { videoId, prefix: sourcePrefix(videoId) }
      await removeLateObjects(deps, { ...late, isUsedBy: ({ keepOriginal }) => keepOriginal })
      await recordSource(deps, videoId, sourceId)
      await rename(folder.receivedPath, folder.sourcePath(sourceId))
      return { ok: true, sizeBytes }
    } catch (error) {
      arriving.fail(error)
      // Removes what is stored so far.
      await storing.catch(() => {})
      await freeScratchAfter(error, deps, folder)
      if (error instanceof SourceError)
        return { ok: false, code: error.code, message: error.message }
      throw error
    }
  }
}

/** Returns the size of the stored source; null if nothing is stored. What this machine has received is then not needed. */
async function useStored(
  deps: ActivityDeps,
  folder: WorkFolder,
  key: SourceOf,
): Promise<number | null> {
  const stored = await findStoredSource(deps, key)
  if (!stored) return null
  for (const path of [folder.receivedPath, folder.partialPath]) await rm(path, { force: true })
  return stored.layout.sizeBytes
}

/** Resolves to the size of the source once this machine has it, and its plan has room for it. */
async function receive(
  deps: ActivityDeps,
  arriving: FollowedFile,
  attempt: DownloadAttempt,
): Promise<number> {
  const { folder, video, before } = attempt
  const reservation = createDownloadReservation(deps.db, video)
  if (!(await exists(folder.receivedPath))) await fetchWhole(deps, arriving, attempt, reservation)
  const { size } = await stat(folder.receivedPath)
  await reservation.settle(size)
  const now = await readSourceKey(deps, video.id)
  if (now?.sourceId !== before.sourceId) throw new Error('another attempt has stored the source')
  arriving.grewTo(size)
  arriving.end()
  return size
}

/** Fetches the source into the file of a received source, within the space of the plan and of the disk. */
async function fetchWhole(
  deps: ActivityDeps,
  arriving: FollowedFile,
  attempt: DownloadAttempt,
  plan: DownloadReservation,
): Promise<void> {
  const { folder, video, space } = attempt
  if (!(await space.hasRoom())) throw scratchFull()
  const room = await readReservation(deps.db.em.fork(), video.id)
  if (!room) throw videoGone()
  const reservation = reserveScratch(space, folder, plan)
  try {
    await fetchSource(deps.egress, {
      ...attempt,
      url: video.sourceUrl,
      accountId: video.accountId,
      availableBytes: Math.max(room.roomBytes, room.reservedBytes),
      reservation,
      onWritten(bytes) {
        reservation.written(bytes)
        arriving.grewTo(bytes)
      },
      report: (bytes, total) => attempt.report({ fraction: total ? bytes / total : null, bytes }),
    })
  } finally {
    reservation.release()
  }
  await rename(folder.partialPath, folder.receivedPath)
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
