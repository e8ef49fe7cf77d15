import { lockAccount } from '../../db/accounts/accounts.ts'
import type { EntityManager } from '../../db/database.ts'
import { findByExternalId } from '../../db/videos/external-ids.ts'
import { Refusal } from '../refusal.ts'

/**
 * Makes sure that no other video of the account, and no upload that can become one, has the external id that a video gets: others
 * that set one wait until the end of the transaction. Refuses with `external_id_taken`, which names the holder. Does nothing without an id.
 */
export async function claimExternalId(
  tx: EntityManager,
  accountId: number,
  videoId: string,
  externalId: string | null | undefined,
): Promise<void> {
  if (externalId === undefined || externalId === null) return
  await lockAccount(tx, accountId)
  const holder = await findByExternalId(tx, accountId, externalId)
  if (holder === null || holder.videoId === videoId) return
  throw new Refusal('external_id_taken', {
    field: 'external_id',
    holder: holder.videoId,
    message:
      holder.uploadId === null
        ? `The video ${holder.videoId} has this external id.`
        : `The upload ${holder.uploadId} has this external id; its video will be ${holder.videoId}.`,
  })
}
