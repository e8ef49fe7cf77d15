import { inBatches } from '../batches.ts'
import type { Database } from '../database.ts'
import { uploadDetails, type UploadDetails } from './uploads.ts'

/** Requests of clients that guess addresses share these, so that they take no more connections from others. */
const AT_ONCE = 2

type Finder = (tokenHash: string) => Promise<UploadDetails | null>

const finders = new WeakMap<Database, Finder>()

/**
 * Finds the upload whose address has a secret with this hash, in a statement that simultaneous requests share. Resolves to null if there is
 * none, or it has ended without a video.
 */
export function findUploadByToken(db: Database, tokenHash: string): Promise<UploadDetails | null> {
  const find = finders.get(db) ?? inBatches((hashes: string[]) => findAll(db, hashes), AT_ONCE)
  finders.set(db, find)
  return find(tokenHash)
}

async function findAll(db: Database, hashes: string[]): Promise<(UploadDetails | null)[]> {
  const rows = await uploadDetails(db.em.fork()).where('u.tokenHash', 'in', hashes).execute()
  const byHash = new Map(rows.map((row) => [row.tokenHash, row]))
  return hashes.map((hash) => byHash.get(hash) ?? null)
}
