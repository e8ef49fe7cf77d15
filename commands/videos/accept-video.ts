import { randomBytes } from 'node:crypto'
import {
  availableStorageBytes,
  findAccount,
  findActivePlan,
  lockStorage,
} from '../../db/accounts/accounts.ts'
import { requestOf } from '../../db/database.ts'
import type { EntityManager } from '../../db/database.ts'
import type { Video } from '../../db/entities/video.ts'
import { insertVideo } from '../../db/videos/videos.ts'
import { requestWorkflows } from '../../db/outbox/workflow-requests.ts'
import { Refusal } from '../refusal.ts'

/** A video whose link passed the checks of `egress/inspect-video-source.ts`. */
export interface VideoOrder {
  accountId: number
  sourceUrl: string
  title: string
  description: string
  folderId: number | null
  /** The size that the source states; 0 if it states none. */
  sizeBytes: number
  /** Whether the operator has configured keys and licences of Multi-DRM plans. */
  hasDrmProvider: boolean
}

/**
 * Inserts a queued video, reserves its storage and requests its workflow. Call it in a transaction. Refuses with
 * `no_active_plan`, `drm_provider_not_configured` and `insufficient_storage`. Fails (`foreignKey`) if the folder no
 * longer exists.
 */
export async function acceptVideo(tx: EntityManager, order: VideoOrder): Promise<Video> {
  const { accountId, sizeBytes, hasDrmProvider, ...given } = order
  await lockStorage(tx, accountId)
  // Since the caller's check, another request may have taken the storage, or the plan may have ended.
  const plan = await findActivePlan(tx, accountId, new Date())
  if (!plan) throw new Refusal('no_active_plan')
  if (plan.protection === 'multi-drm' && !hasDrmProvider)
    throw new Refusal('drm_provider_not_configured')
  if (sizeBytes > (await availableStorageBytes(tx, plan)))
    throw new Refusal('insufficient_storage', { field: 'source_url' })
  const account = await findAccount(tx, accountId)
  const video = await insertVideo(tx, {
    ...given,
    id: randomBytes(10).toString('hex'),
    accountId,
    protection: plan.protection,
    keepOriginal: account?.settings.keep_original ?? false,
    reservedBytes: sizeBytes,
    requestId: requestOf(tx),
  })
  await requestWorkflows(tx, [{ command: 'ingest-video', subjectId: video.id, accountId }])
  return video
}
