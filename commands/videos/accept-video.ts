import { randomBytes } from 'node:crypto'
import { findAccount, isOverLimit, lockStorage } from '../../db/accounts/accounts.ts'
import { requestOf, type EntityManager } from '../../db/database.ts'
import type { Video } from '../../db/entities/video.ts'
import { requestWorkflows } from '../../db/outbox/write-workflow-requests.ts'
import { insertVideo } from '../../db/videos/write-videos.ts'
import type { OwnData } from '../../domain/videos/own-data.ts'
import { Refusal } from '../refusal.ts'
import { requirePlan, type CheckedLink } from './check-link.ts'

/** A new video, whose link was checked. */
export interface VideoOrder extends CheckedLink, Partial<OwnData> {
  title: string
  description: string
  folderId: number | null
  /** Whether the source stays; null or absent for the setting of the account. */
  keepOriginal?: boolean | null
}

/**
 * Inserts a queued video, reserves its storage and requests its workflow. Call it in a transaction. Refuses with
 * `no_active_plan`, `drm_provider_not_configured` and `insufficient_storage`. Fails (`foreignKey`) if the folder no
 * longer exists.
 */
export async function acceptVideo(tx: EntityManager, order: VideoOrder): Promise<Video> {
  const { accountId, sizeBytes, hasDrmProvider, keepOriginal, ...given } = order
  // Since the caller's check, the plan may have ended.
  const plan = await requirePlan(tx, { accountId, hasDrmProvider })
  const account = await findAccount(tx, accountId)
  const video = await insertVideo(tx, {
    ...given,
    id: randomBytes(10).toString('hex'),
    accountId,
    protection: plan.protection,
    keepOriginal: keepOriginal ?? account?.settings.keep_original ?? false,
    reservedBytes: sizeBytes,
    requestId: requestOf(tx),
  })
  await requestWorkflows(tx, [{ command: 'ingest-video', subjectId: video.id, accountId }])
  // Last, because other videos of the account wait until the commit. Another request may have taken the storage.
  await lockStorage(tx, accountId)
  if (sizeBytes > 0 && (await isOverLimit(tx, accountId)))
    throw new Refusal('insufficient_storage', { field: 'source_url' })
  return video
}
