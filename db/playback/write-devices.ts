import { sql } from 'kysely'
import type { EntityManager } from '../database.ts'
import { DrmDevice } from '../entities/account.ts'
import { queries } from '../queries.ts'

/** Revokes a device, known or not; a repeat keeps the time of the first revocation. */
export async function setDeviceRevoked(
  em: EntityManager,
  accountId: number,
  deviceId: string,
): Promise<DrmDevice> {
  await queries(em)
    .insertInto('drm_device')
    .values({ accountId, deviceId, revokedAt: sql`now()` })
    .onConflict((conflict) =>
      conflict
        .columns(['accountId', 'deviceId'])
        .doUpdateSet({ revokedAt: sql`coalesce(drm_device.revoked_at, now())` }),
    )
    .execute()
  return em.findOneOrFail(DrmDevice, { accountId, deviceId }, { refresh: true })
}

/** Lets a revoked device play again; returns false if it was not revoked. */
export async function clearDeviceRevoked(
  em: EntityManager,
  accountId: number,
  deviceId: string,
): Promise<boolean> {
  const { numUpdatedRows } = await queries(em)
    .updateTable('drm_device')
    .set({ revokedAt: null })
    .where('accountId', '=', accountId)
    .where('deviceId', '=', deviceId)
    .where('revokedAt', 'is not', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
