import { sql } from 'kysely'
import type { EntityManager } from '../database.ts'
import { startBeats, type Beats } from '../playback/beats.ts'
import { queries } from '../queries.ts'
import type { MasterKeyHolder } from './master-key-holders.ts'

type NewHolder = Pick<MasterKeyHolder, 'process' | 'versions'>

/** Rows of killed processes are deleted after a day. */
const KEPT = sql<Date>`now() - interval '1 day'`

/**
 * Records the versions that a process has, and the offset of its clock that `compareClock` resolves to, until it is
 * stopped, which deletes the row.
 */
export const startHolding = (
  openEm: () => EntityManager,
  holder: NewHolder,
  compareClock: (em: EntityManager) => Promise<number | null> = async () => null,
): Beats =>
  startBeats(
    async () => recordHolder(openEm(), holder, await compareClock(openEm())),
    () => removeHolder(openEm(), holder.process),
  )

async function recordHolder(
  em: EntityManager,
  { process, versions }: NewHolder,
  clockOffsetMs: number | null,
): Promise<void> {
  await queries(em)
    .with('old', (db) => db.deleteFrom('master_key_holder').where('seenAt', '<', KEPT))
    .insertInto('master_key_holder')
    .values({ process, versions, clockOffsetMs })
    .onConflict((conflict) =>
      conflict.column('process').doUpdateSet({ versions, clockOffsetMs, seenAt: sql`now()` }),
    )
    .execute()
}

async function removeHolder(em: EntityManager, process: string): Promise<void> {
  await queries(em).deleteFrom('master_key_holder').where('process', '=', process).execute()
}
