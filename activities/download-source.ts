import { rename, stat } from 'node:fs/promises'
import { Context } from '@temporalio/activity'
import { availableStorageBytes, findActivePlan } from '../db/accounts.ts'
import type { EntityManager } from '../db/database.ts'
import type { Video } from '../db/entities/video.ts'
import type { DownloadOutcome } from '../domain/ingest.ts'
import { SOURCE_MAX_BYTES } from '../domain/limits.ts'
import { sourceKey } from '../domain/media-paths.ts'
import { SourceError } from '../egress/source-error.ts'
import type { ActivityDeps } from './deps.ts'
import { fetchSource } from './fetch-source.ts'
import { findLiveVideo } from './live-video.ts'
import { reportProgress } from './report-progress.ts'
import { exists, openWorkFolder } from './work-folder.ts'

export interface VideoInput {
  videoId: string
  accountId: number
}

/**
 * One download attempt: fetches the source through the egress guard, resuming what an earlier
 * attempt left, and stores it. A failure that lies with the source is a value, not an exception:
 * the workflow counts the contract's three attempts (spec, "Limits").
 */
export function createDownloadSource(deps: ActivityDeps, stallMs?: number) {
  return async function downloadSource({ videoId }: VideoInput): Promise<DownloadOutcome> {
    const context = Context.current()
    const em = deps.db.em.fork()
    const video = await findLiveVideo(em, videoId)
    const folder = await openWorkFolder(deps.workDir, videoId)
    const reportStep = reportProgress({ fraction: null, bytes: 0 })
    const report = (bytes: number, total: number | null): void =>
      reportStep({ fraction: total ? bytes / total : null, bytes })
    try {
      if (!(await exists(folder.sourcePath))) {
        const maxBytes = await allowedBytes(em, video)
        const signal = context.cancellationSignal
        const options = { url: video.sourceUrl, folder, maxBytes, signal, report, stallMs }
        await fetchSource(deps.egress, options)
        await rename(folder.partialPath, folder.sourcePath)
      }
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

interface Allowance {
  maxBytes: number
  /** What is said where `maxBytes` is passed. */
  code: 'source_too_large' | 'insufficient_storage'
}

async function allowedBytes(em: EntityManager, video: Video): Promise<Allowance> {
  const plan = await findActivePlan(em, video.accountId, new Date())
  // A plan that ended after the 202 does not take back what was accepted.
  const free = plan ? await availableStorageBytes(em, plan) : Infinity
  const available = free + video.reservedBytes
  return available < SOURCE_MAX_BYTES
    ? { maxBytes: available, code: 'insufficient_storage' }
    : { maxBytes: SOURCE_MAX_BYTES, code: 'source_too_large' }
}

/** Other machines encode from object storage; this one keeps its own copy. */
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
