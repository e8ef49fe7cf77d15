import { hostname } from 'node:os'
import { ApplicationFailure, Context } from '@temporalio/activity'
import type { Database } from '../../db/database.ts'
import { nextSealedKind } from '../../db/secrets/sealed-columns.ts'
import {
  countSealedValues,
  findValuesNotUnder,
  type SealedValue,
} from '../../db/secrets/sealed-values.ts'
import { replaceSealedValues } from '../../db/secrets/write-sealed-values.ts'
import type {
  ResealBatch,
  ResealInput,
  ResealPosition,
  UnreadableValue,
} from '../../domain/master-key-rotation.ts'
import type { SealedKind } from '../../domain/sealed-value.ts'
import { seal, SealingError, unseal, type MasterKeys } from '../../security/sealing/sealing.ts'
import { contextOf } from '../../security/sealing/secret-contexts.ts'

export interface ResealDeps {
  db: Database
  masterKeys: MasterKeys
  /** 500 by default. */
  resealBatchRows?: number
}

const BATCH_ROWS = 500
/** Another worker may have the right keys; after so many attempts the operator is told. */
const WRONG_KEY_ATTEMPTS = 5

/**
 * Seals a page of values under the version of a rotation, and returns where the next page begins. Safe to
 * run twice and at the same time: it reads only values under other versions, and replaces each only if it is
 * unchanged. Values that do not open are returned, and stay as they are.
 */
export async function resealValues(
  { db, masterKeys, resealBatchRows = BATCH_ROWS }: ResealDeps,
  { version, position }: ResealInput,
): Promise<ResealBatch> {
  checkCurrent(masterKeys, version)
  const start = position ?? startAfter(null)
  if (start === null) return { next: null, resealedCount: 0, unreadable: [] }
  const { kind, after } = start
  const em = db.em.fork()
  const limit = resealBatchRows
  const values = await findValuesNotUnder(em, [version], { kind, after, limit })
  const unreadable: UnreadableValue[] = []
  const replacements = values.flatMap((value) => {
    const result = reseal(masterKeys, value)
    if (typeof result === 'string') return [{ ...value, resealed: result }]
    unreadable.push(result)
    return []
  })
  const resealedCount = await replaceSealedValues(em, kind, replacements)
  const last = values.length < limit ? undefined : values.at(-1)
  const next = last ? { kind, after: last.key } : startAfter(kind)
  return { next, resealedCount, unreadable }
}

/** Counts the values that other versions have sealed. */
export async function countOlderValues(
  { db, masterKeys }: ResealDeps,
  { version }: { version: number },
): Promise<number> {
  checkCurrent(masterKeys, version)
  const counts = await countSealedValues(db.em.fork())
  return counts.filter((one) => one.version !== version).reduce((sum, { count }) => sum + count, 0)
}

function startAfter(kind: SealedKind | null): ResealPosition | null {
  const next = nextSealedKind(kind)
  return next && { kind: next, after: null }
}

/** Seals a value under the current version; returns the sealed text, or why the value does not open. */
function reseal(
  masterKeys: MasterKeys,
  { owner, key, sealed }: SealedValue,
): string | UnreadableValue {
  const context = contextOf(owner)
  try {
    const secret = unseal(masterKeys, sealed, context)
    const resealed = seal(masterKeys, secret, context)
    // The new text replaces the only copy of the secret.
    if (!unseal(masterKeys, resealed, context).equals(secret))
      throw new Error('a value differs after it was sealed again')
    return resealed
  } catch (error) {
    if (!(error instanceof SealingError)) throw error
    return { kind: owner.kind, row: key.join('/'), reason: error.message }
  }
}

/** Throws an ApplicationFailure, at last one that is not retried, if this worker seals under another version. */
function checkCurrent({ current }: MasterKeys, version: number): void {
  if (current === version) return
  throw ApplicationFailure.create({
    type: 'other_version_in_use',
    message:
      `The worker ${process.pid}@${hostname()} seals under version ${current} of the master key, not ${version}. ` +
      `Give every process the same MASTER_KEY, then start the rotation again.`,
    nonRetryable: Context.current().info.attempt >= WRONG_KEY_ATTEMPTS,
  })
}
