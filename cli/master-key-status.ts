import { requestMasterKeyRotation } from '../commands/secrets/request-rotation.ts'
import type { EntityManager } from '../db/database.ts'
import { findMasterKeyHolders } from '../db/secrets/master-key-holders.ts'
import { countSealedValues } from '../db/secrets/sealed-values.ts'
import { versionsOf, type MasterKeys } from '../security/sealing/sealing.ts'
import { masterKeyStatusView, type MasterKeyStatus } from '../views/operator/master-key.ts'
import { audited } from './audited.ts'
import { CliError } from './errors.ts'

/** Has every stored value sealed under a version, in the background. */
export async function requestRotation(em: EntityManager, version: number): Promise<void> {
  const change = { accountId: null, action: 'master_key.rotate', subject: String(version) }
  await audited(
    em,
    (tx) => requestMasterKeyRotation(tx, version),
    () => ({ ...change, after: { version }, fields: ['version'] }),
  )
}

/** Throws a CliError that lists the running processes that seal under another version. */
export function requireRolledOut({ version, processes }: MasterKeyStatus): void {
  const late = processes.filter(({ versions: [first] }) => first !== version)
  if (late.length === 0) return
  throw new CliError(
    `These processes do not seal under version ${version} yet: ` +
      `${late.map(({ process, versions }) => `${process} (${versions.join(', ')})`).join('; ')}. ` +
      `Restart them with version ${version} first in MASTER_KEY.`,
    { code: 'master_key_not_rolled_out' },
  )
}

/** Reads how far a change to these keys has come. */
export async function readStatus(
  em: EntityManager,
  masterKeys: MasterKeys,
): Promise<MasterKeyStatus> {
  const [counts, holders] = [await countSealedValues(em), await findMasterKeyHolders(em)]
  return masterKeyStatusView({ versions: versionsOf(masterKeys), counts, holders })
}
