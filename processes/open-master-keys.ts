import type { Logger } from 'pino'
import { awaitDatabase } from '../db/errors.ts'
import type { Database, EntityManager } from '../db/database.ts'
import { findSealedValue, readFingerprints, recordFingerprint } from '../db/master-keys.ts'
import type { SealedValue } from '../db/master-keys.ts'
import { SealingError, fingerprintOf, parseMasterKeys, unseal } from '../security/sealing.ts'
import type { MasterKeys } from '../security/sealing.ts'
import {
  contentKeyContext,
  endpointSecretContext,
  signingSecretContext,
} from '../security/secret-contexts.ts'

/**
 * Reads MASTER_KEY for a process that starts, waits for the database, and compares it with what is
 * recorded there. Throws a SealingError where a key is unusable or is not the one that was used before.
 */
export async function openMasterKeys(
  db: Database,
  text: string,
  logger: Logger,
): Promise<MasterKeys> {
  const masterKeys = parseMasterKeys(text)
  await awaitDatabase(() => checkMasterKeys(db.em.fork(), masterKeys), logger)
  return masterKeys
}

/**
 * Makes sure that these are the keys that sealed what the database holds, and records the
 * fingerprint of a version that is used for the first time. Throws a SealingError that names the
 * version which does not match.
 */
export async function checkMasterKeys(em: EntityManager, masterKeys: MasterKeys): Promise<void> {
  const versions = await compareMasterKeys(em, masterKeys)
  for (const version of versions)
    await recordFingerprint(em, version, fingerprintOf(masterKeys, version))
  // Another process may have been first, with another key.
  if (versions.length > 0) await compareMasterKeys(em, masterKeys)
}

/** The same, without a record; resolves to the versions that have no fingerprint yet. */
export async function compareMasterKeys(
  em: EntityManager,
  masterKeys: MasterKeys,
): Promise<number[]> {
  const recorded = await readFingerprints(em)
  const unknown: number[] = []
  for (const version of masterKeys.keys.keys()) {
    const fingerprint = recorded.get(version)
    if (fingerprint === undefined) {
      const value = await findSealedValue(em, version)
      if (value && !opens(masterKeys, value)) throw wrongKey(version)
      unknown.push(version)
    } else if (fingerprint !== fingerprintOf(masterKeys, version)) throw wrongKey(version)
  }
  return unknown
}

const wrongKey = (version: number): SealingError =>
  new SealingError(
    `The master key of version ${version} is not the one that sealed the secrets in this database. ` +
      `Give the right one: MASTER_KEY, or master.key in the data directory. ` +
      `A new key needs a version of its own beside the old one: ` +
      `MASTER_KEY=${version + 1}:<new key>,${version}:<old key>`,
  )

function opens(masterKeys: MasterKeys, value: SealedValue): boolean {
  try {
    unseal(masterKeys, value.sealed, contextOf(value))
    return true
  } catch (error) {
    if (error instanceof SealingError) return false
    throw error
  }
}

function contextOf(value: SealedValue): string {
  switch (value.of) {
    case 'signing-secret':
      return signingSecretContext(value.accountId)
    case 'webhook-endpoint':
      return endpointSecretContext(value.accountId)
    case 'content-key':
      return contentKeyContext(value.videoId, value.trackType)
  }
}
