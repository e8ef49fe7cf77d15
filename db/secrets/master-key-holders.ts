import { sql } from 'kysely'
import type { EntityManager } from '../database.ts'
import { ALIVE_MS } from '../playback/beats.ts'
import { queries } from '../queries.ts'

/** A running process, and the versions of the master key that it has; it seals under the first one. */
export interface MasterKeyHolder {
  /** Its name and identity: `player 71@host`. */
  process: string
  versions: number[]
  startedAt: Date
  /** How far its clock is ahead of the database's, at least; negative if it is behind. Null until it is known. */
  clockOffsetMs: number | null
}

/** The running processes, by name. */
export const findMasterKeyHolders = (em: EntityManager): Promise<MasterKeyHolder[]> =>
  queries(em)
    .selectFrom('master_key_holder')
    .select(['process', 'versions', 'startedAt', 'clockOffsetMs'])
    .where('seenAt', '>', sql<Date>`now() - ${ALIVE_MS}::int * interval '1 millisecond'`)
    .orderBy('process')
    .execute()
