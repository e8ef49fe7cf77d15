import { sql } from 'kysely'
import type { AppAttestEnvironment } from '../../domain/drm/app-attest-environment.ts'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'

/** Clocks of processes may differ by less. */
const KEPT_AFTER_EXPIRY = sql`interval '10 minutes'`

/** More than one redemption adds, so the table stays small without a schedule. */
const SWEPT_AT_ONCE = 10

/** Marks a challenge as redeemed; false if it was. Deletes a few that have expired. */
export async function insertRedeemedChallenge(
  em: EntityManager,
  id: string,
  expiresAt: Date,
): Promise<boolean> {
  await queries(em)
    .deleteFrom('redeemed_challenge')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('redeemed_challenge as old')
        .select('old.id')
        .where('old.expiresAt', '<', sql<Date>`now() - ${KEPT_AFTER_EXPIRY}`)
        .limit(SWEPT_AT_ONCE)
        .forUpdate()
        .skipLocked(),
    )
    .execute()
  const inserted = await queries(em)
    .insertInto('redeemed_challenge')
    .values({ id, expiresAt })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Stores a key that Apple has attested. One that is stored keeps its counter. */
export async function insertAppAttestKey(
  em: EntityManager,
  key: { keyId: string; publicKey: Buffer; environment: AppAttestEnvironment },
): Promise<void> {
  await queries(em)
    .insertInto('app_attest_key')
    .values({ ...key, publicKey: key.publicKey.toString('base64') })
    .onConflict((conflict) => conflict.column('keyId').doNothing())
    .execute()
}

/** Stores the counter of an assertion; false unless it is larger than the last one. */
export async function advanceAppAttestCounter(
  em: EntityManager,
  keyId: string,
  counter: number,
): Promise<boolean> {
  const { numUpdatedRows } = await queries(em)
    .updateTable('app_attest_key')
    .set({ counter, lastUsedAt: sql`now()` })
    .where('keyId', '=', keyId)
    .where('counter', '<', counter)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
