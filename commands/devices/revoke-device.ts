import type { EntityManager } from '../../db/database.ts'
import type { DrmDevice } from '../../db/entities/account.ts'
import { clearDeviceRevoked, setDeviceRevoked } from '../../db/playback/write-devices.ts'

/**
 * Refuses licences to a device of an account, which need not have been seen. Running playback ends when its
 * licence ends or is renewed. Revoking it again keeps the time of the first revocation.
 */
export const revokeDevice = (
  em: EntityManager,
  accountId: number,
  deviceId: string,
): Promise<DrmDevice> => setDeviceRevoked(em, accountId, deviceId)

/** Gives licences to a revoked device again; returns false when it was not revoked. */
export const restoreDevice = (
  em: EntityManager,
  accountId: number,
  deviceId: string,
): Promise<boolean> => clearDeviceRevoked(em, accountId, deviceId)
