import type { EntityManager } from '../database.ts'
import { MasterKey } from '../entities/process.ts'
import { queries } from '../queries.ts'

/** The recorded fingerprints, by the version of their key. */
export async function readFingerprints(em: EntityManager): Promise<Map<number, string>> {
  const rows = await em.findAll(MasterKey)
  return new Map(rows.map(({ version, fingerprint }) => [version, fingerprint]))
}

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
