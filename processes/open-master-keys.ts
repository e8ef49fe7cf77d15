import { hostname } from 'node:os'
import type { Logger } from 'pino'
import { required, type Config } from '../config/config.ts'
import { awaitDatabase } from '../db/await-database.ts'
import type { Database, EntityManager } from '../db/database.ts'
import type { Beats } from '../db/playback/beats.ts'
import { readFingerprints } from '../db/secrets/master-keys.ts'
import { findValueNotUnder, findValueUnder, type SealedValue } from '../db/secrets/sealed-values.ts'
import { startHolding } from '../db/secrets/write-master-key-holders.ts'
import { recordFingerprint } from '../db/secrets/write-master-keys.ts'
import {
  fingerprintOf,
  parseMasterKeys,
  SealingError,
  unseal,
  versionOf,
  versionsOf,
  type MasterKeys,
} from '../security/sealing/sealing.ts'
import { contextOf } from '../security/sealing/secret-contexts.ts'
import { compareOwnClock } from './own-clock.ts'

/**
 * Parses MASTER_KEY, which a process does before it waits for anything. Throws a SealingError that names the variable,
 * and a ConfigError if it is unset.
 */
export function readMasterKeys({ MASTER_KEY }: Config): MasterKeys {
  const text = required(MASTER_KEY, 'MASTER_KEY')
  try {
    return parseMasterKeys(text)
  } catch (error) {
    if (!(error instanceof SealingError)) throw error
    throw new SealingError(
      `MASTER_KEY is not usable: ${error.message}. Several are separated by commas.`,
    )
  }
}

/**
 * Waits for the database, and compares the keys with it. Throws a SealingError if a key is not the one that sealed the
 * secrets in the database, or is missing for one of them.
 */
export async function openMasterKeys(
  db: Database,
  masterKeys: MasterKeys,
  logger: Logger,
): Promise<MasterKeys> {
  await awaitDatabase(() => checkMasterKeys(db.em.fork(), masterKeys), logger)
  return masterKeys
}

/** Records until it is stopped that a running process has these keys (`reelgate master-key`), and how far its clock is off. */
export const holdMasterKeys = (db: Database, name: string, masterKeys: MasterKeys): Beats =>
  startHolding(
    () => db.em.fork(),
    { process: `${name} ${process.pid}@${hostname()}`, versions: versionsOf(masterKeys) },
    compareOwnClock,
  )

/**
 * Checks that these keys sealed the secrets in the database, and records the fingerprint of a new
 * version. Throws a SealingError with the version that does not match or is missing.
 */
export async function checkMasterKeys(em: EntityManager, masterKeys: MasterKeys): Promise<void> {
  const versions = await compareMasterKeys(em, masterKeys)
  for (const version of versions)
    await recordFingerprint(em, version, fingerprintOf(masterKeys, version))
  // Another process may have recorded another key first.
  if (versions.length > 0) await compareMasterKeys(em, masterKeys)
}

/** The same without recording. Resolves to the versions without a fingerprint. */
export async function compareMasterKeys(
  em: EntityManager,
  masterKeys: MasterKeys,
): Promise<number[]> {
  const recorded = await readFingerprints(em)
  const nextVersion = Math.max(...recorded.keys(), ...masterKeys.keys.keys()) + 1
  const unknown: number[] = []
  for (const version of masterKeys.keys.keys()) {
    const fingerprint = recorded.get(version)
    if (fingerprint === undefined) {
      const value = await findValueUnder(em, version)
      if (value && !opens(masterKeys, value)) throw wrongKey(version, nextVersion)
      unknown.push(version)
    } else if (fingerprint !== fingerprintOf(masterKeys, version))
      throw wrongKey(version, nextVersion)
  }
  await checkNothingNeedsOthers(em, versionsOf(masterKeys), [...recorded.keys()])
  return unknown
}

/**
 * Throws a SealingError if a stored value needs a version that is not given. A process records each version
 * before it seals under it, so a search is necessary only if one of the recorded versions is not given, or if
 * none was ever recorded.
 */
async function checkNothingNeedsOthers(
  em: EntityManager,
  given: number[],
  recorded: number[],
): Promise<void> {
  if (recorded.length > 0 && recorded.every((version) => given.includes(version))) return
  const value = await findValueNotUnder(em, given)
  if (!value) return
  const version = versionOf(value.sealed)
  throw new SealingError(
    `Stored secrets (${value.owner.kind}) need version ${version} of the master key, which is not given. ` +
      `Give it too: MASTER_KEY=${given[0]}:<key>,${version}:<key>. ` +
      `It can be dropped when reelgate master-key status says so.`,
  )
}

const wrongKey = (version: number, nextVersion: number): SealingError =>
  new SealingError(
    `The master key of version ${version} is not the one that sealed the secrets in this database. ` +
      `Give the right one: MASTER_KEY, or master.key in the data directory. ` +
      `A new key needs a new version, together with the old key: ` +
      `MASTER_KEY=${nextVersion}:<new key>,${version}:<old key>`,
  )

function opens(masterKeys: MasterKeys, value: SealedValue): boolean {
  try {
    unseal(masterKeys, value.sealed, contextOf(value.owner))
    return true
  } catch (error) {
    if (error instanceof SealingError) return false
    throw error
  }
}
