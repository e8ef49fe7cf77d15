import { fingerprintOf, SealingError, type MasterKeys } from '../../security/sealing/sealing.ts'
import type { Manifest } from './manifest.ts'

/**
 * Throws a SealingError unless the given master keys open the sealed values of the backup. Keys are not in a backup.
 */
export function assertMasterKeys({ master_keys }: Manifest, masterKeys: MasterKeys): void {
  for (const { version, fingerprint, sealed_values: count } of master_keys) {
    if (!masterKeys.keys.has(version))
      throw new SealingError(
        `The backup has ${count} values under version ${version} of the master key, which is not given. ` +
          `A backup holds no master key: take it from where you keep it, and set MASTER_KEY=${version}:<key>.`,
      )
    if (fingerprint !== null && fingerprint !== fingerprintOf(masterKeys, version))
      throw new SealingError(
        `The master key of version ${version} is not the one that sealed ${count} values of the backup. ` +
          'Set the MASTER_KEY that the installation had when the backup was made.',
      )
  }
}
