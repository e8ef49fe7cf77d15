import { rm } from 'node:fs/promises'
import { Context } from '@temporalio/activity'
import { ApplicationFailure } from '@temporalio/common'
import { videoGone } from '../../commands/ingest/ingest-refusal.ts'
import type { Video } from '../../db/entities/video.ts'
import { findImportOf } from '../../db/imports/video-imports.ts'
import { findSourceWrite } from '../../db/ingest/source-writes.ts'
import { readReservation } from '../../db/ingest/storage-reservation.ts'
import type { DownloadOutcome, DownloadSourceInput } from '../../domain/ingest/ingest.ts'
import { SourceError } from '../../egress/source-error.ts'
import type { ActivityDeps } from '../deps.ts'
import { sourceAddress } from '../imports/source-address.ts'
import { findLiveVideo } from '../ingest/ingest-step.ts'
import { reportVideoProgress, type Report } from '../ingest/report-progress.ts'
import { scratchSpaceOf, type ScratchSpace } from '../scratch/scratch-space.ts'
import { openWorkFolder, type WorkFolder } from '../scratch/work-folder.ts'
import { findStoredSource } from '../source/find-stored-source.ts'
import { keepLocal } from '../source/local-source.ts'
import { ensureSourceKey, type SourceOf } from '../source/source-keys.ts'
import { fetchSource } from './fetch-source.ts'
import {
  endPart,
  findDownload,
  removeDownload,
  resumePoint,
  type PartialDownload,
  type ResumePoint,
} from './partial-download.ts'
import { freeScratchAfter, reserveScratch, scratchFull } from './scratch-reservation.ts'
import { createDownloadReservation, type DownloadReservation } from './storage-reservation.ts'
import { createSourceStore, type SourceStore } from './store-source.ts'

interface DownloadAttempt {
  video: Video
  folder: WorkFolder
  store: SourceStore
  key: Buffer
  signal: AbortSignal
  report: Report
  stallMs: number | undefined
  space: ScratchSpace
}

/**
 * Makes one download attempt: fetches the source through the egress guard, resuming an earlier attempt of any machine,
 * and stores it encrypted while it arrives (ADR 0032). Reserves the received bytes in the account's plan. Throws a failure
 * of the source, and Temporal does not retry it: the workflow counts the contract's three attempts (contract, "Limits").
 * A source that is stored already is used, whichever attempt or machine stored it: the link may have expired.
 */
export function createDownloadSource(deps: ActivityDeps, stallMs?: number) {
  const space = scratchSpaceOf(deps.workDir)
  return async function downloadSource(input: DownloadSourceInput): Promise<DownloadOutcome> {
    const { videoId } = input
    const signal = Context.current().cancellationSignal
    const video = await findLiveVideo(deps.db.em.fork(), videoId)
    const folder = await openWorkFolder(deps, videoId)
    const first = { fraction: null, bytes: 0 }
    const report = reportVideoProgress(deps, { videoId, names: ['download'] }, first)
    const { isNew, ...before } = await ensureSourceKey(deps, videoId)
    const stored = isNew ? null : await useStored(deps, folder, before)
    if (stored !== null) return { ok: true, sizeBytes: stored }
    const store = createSourceStore(deps, before, { report, signal })
    try {
      const { key } = before
      const attempt = { video, folder, store, key, signal, report, stallMs, space }
      return { ok: true, sizeBytes: await receive(deps, attempt) }
    } catch (error) {
      await store.fail(error)
      await freeScratchAfter(error, deps, folder)
      if (error instanceof SourceError) return endAttempt(input, error)
      throw error
    }
  }
}

/** The failure has neither the link nor the error behind it, which may name it. */
function endAttempt(
  { countsFailures }: DownloadSourceInput,
  { code, message }: SourceError,
): DownloadOutcome {
  if (countsFailures) throw ApplicationFailure.nonRetryable(message, code)
  return { ok: false, code, message }
}

/** Returns the size of the stored source; null if nothing is stored. What this machine has received is then not needed. */
async function useStored(
  deps: ActivityDeps,
  folder: WorkFolder,
  key: SourceOf,
): Promise<number | null> {
  const stored = await findStoredSource(deps, key)
  if (!stored) return null
  await removeDownload(folder)
  return stored.layout.sizeBytes
}

/** Resolves to the size of the source once it is stored, and its plan has room for it. */
async function receive(deps: ActivityDeps, attempt: DownloadAttempt): Promise<number> {
  const { folder, video, store } = attempt
  const plan = createDownloadReservation(deps.db, video)
  const stored = await findSourceWrite(deps.db.em.fork(), video.id)
  const local = await findDownload(folder, stored)
  if (local?.isReceived) store.begin(local)
  const received = local?.isReceived
    ? { download: local, sizeBytes: local.endByte }
    : await fetchRest(deps, attempt, plan, resumePoint(local, stored))
  const { download, sizeBytes } = received
  await plan.settle(sizeBytes)
  const sourceId = await store.finish(sizeBytes)
  const { firstByte, salt, files } = download
  const { receivedPath } = files
  if (firstByte === 0) await keepLocal(folder, receivedPath, { sourceId, salt })
  else await rm(receivedPath, { force: true })
  return sizeBytes
}

/** Fetches what is missing of the source, within the space of the plan and of the disk. */
async function fetchRest(
  deps: ActivityDeps,
  attempt: DownloadAttempt,
  plan: DownloadReservation,
  resumeAt: ResumePoint,
): Promise<{ download: PartialDownload; sizeBytes: number }> {
  const { video, space, store } = attempt
  if (!(await space.hasRoom())) throw scratchFull()
  const room = await readReservation(deps.db.em.fork(), video.id)
  if (!room) throw videoGone()
  const access = await findImportOf(deps.db.em.fork(), video.id)
  const url = await sourceAddress(deps.masterKeys, video.sourceUrl, access)
  const reservation = reserveScratch(space, plan)
  try {
    const download = await fetchSource(deps.egress, {
      ...attempt,
      resumeAt,
      url,
      mayRefuseHead: access !== null,
      isSigned: url !== video.sourceUrl,
      accountId: video.accountId,
      availableBytes: Math.max(room.roomBytes, room.reservedBytes),
      reservation,
      onOpened(opened, startByte) {
        reservation.begin(startByte)
        store.begin(opened)
      },
      onWritten(bytes) {
        reservation.written(bytes)
        store.grewTo(bytes)
      },
      report: (bytes, total) => attempt.report({ fraction: total ? bytes / total : null, bytes }),
    })
    return { download, sizeBytes: await endPart(download) }
  } finally {
    reservation.release()
  }
}
