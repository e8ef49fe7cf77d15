import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'

/** Records the fingerprint of a version that has none; of two concurrent ones, the first stays. */
export async function recordFingerprint(
  em: EntityManager,
  version: number,
  fingerprint: string,
): Promise<void> {
  await queries(em)
    .insertInto('master_key')
    .values({ version, fingerprint })
    .onConflict((conflict) => conflict.column('version').doNothing())
    .execute()
}
