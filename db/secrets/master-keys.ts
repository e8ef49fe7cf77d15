import type { EntityManager } from '../database.ts'
import { MasterKey } from '../entities/process.ts'

/** The recorded fingerprints, by the version of their key. */
export async function readFingerprints(em: EntityManager): Promise<Map<number, string>> {
  const rows = await em.findAll(MasterKey)
  return new Map(rows.map(({ version, fingerprint }) => [version, fingerprint]))
}
