import { availableStorageBytes, findActivePlan } from '../../db/accounts/accounts.ts'
import type { EntityManager } from '../../db/database.ts'
import type { Plan } from '../../db/entities/account.ts'
import type { Video } from '../../db/entities/video.ts'
import { keyOfLink } from '../../domain/imports/video-import.ts'
import { Refusal } from '../refusal.ts'
import { requireFolder } from './edit-video.ts'

/** The link of a new video, and what its plan may need. */
interface LinkToCheck {
  accountId: number
  sourceUrl: string
  /** Whether the operator has configured keys and licences of Multi-DRM plans. */
  hasDrmProvider: boolean
}

/** A link that passed `checkLink`. */
export interface CheckedLink extends LinkToCheck {
  /** The size that the source states; 0 if it states none. */
  sizeBytes: number
}

/**
 * Sends a request to the link, and checks its response and its size against the storage left; throws if it is refused
 * (`egress/inspect-video-source.ts`).
 */
export type InspectLink = (availableBytes: number) => Promise<{ sizeBytes: number | null }>

/**
 * Checks what a new video needs: the plan, the folder and, last because it is slow, the link. Call it outside any
 * transaction; `acceptVideo` then checks the plan again. Refuses with `no_active_plan`, `drm_provider_not_configured` and
 * `folder_not_found`.
 */
export async function checkLink(
  em: EntityManager,
  { folderId, ...link }: LinkToCheck & { folderId?: number | null | undefined },
  inspect: InspectLink,
): Promise<CheckedLink> {
  const plan = await requirePlan(em, link)
  await requireFolder(em, link.accountId, folderId)
  const { sizeBytes } = await inspect(await availableStorageBytes(em, plan))
  return { ...link, sizeBytes: sizeBytes ?? 0 }
}

/** Checks a failed video that is made again as a new one, and its link. Refuses as `checkLink` does, and with `video_not_found`, `video_not_failed`, `source_was_uploaded` and `source_in_bucket`. */
export async function checkLinkAgain(
  em: EntityManager,
  { accountId, sourceUrl, deletedAt, status }: Video,
  hasDrmProvider: boolean,
  inspect: InspectLink,
): Promise<CheckedLink> {
  // A deletion removes the link.
  if (deletedAt !== null) throw new Refusal('video_not_found')
  if (status !== 'failed') throw new Refusal('video_not_failed')
  if (sourceUrl === '') throw new Refusal('source_was_uploaded')
  if (keyOfLink(sourceUrl) !== null) throw new Refusal('source_in_bucket')
  return checkLink(em, { accountId, sourceUrl, hasDrmProvider }, inspect)
}

/** Returns the active plan. Refuses with `no_active_plan`, and with `drm_provider_not_configured` if it needs a missing one. */
export async function requirePlan(
  em: EntityManager,
  { accountId, hasDrmProvider }: Pick<LinkToCheck, 'accountId' | 'hasDrmProvider'>,
): Promise<Plan> {
  const plan = await findActivePlan(em, accountId, new Date())
  if (!plan) throw new Refusal('no_active_plan')
  if (plan.protection === 'multi-drm' && !hasDrmProvider)
    throw new Refusal('drm_provider_not_configured')
  return plan
}
