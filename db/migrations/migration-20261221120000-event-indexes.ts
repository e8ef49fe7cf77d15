import { indexStep, step, StepMigration } from '../schema/step-migration.ts'
import type { Run } from '../schema/transactions.ts'

/**
 * Gives each partition of the events the index of their ids, which those that were made with the partitioned table did not have: a look-up
 * by id read another index as a whole. Finds deleted videos whose objects are to be removed by their id, in the order of the sweep.
 */
export class EventIndexes extends StepMigration {
  override steps() {
    return [
      step('look-ups of events by id in each partition', indexIds),
      indexStep(
        'video_to_remove_id',
        'video (id) where deleted_at is not null and removed_at is null',
      ),
      step('without the index by time', 'drop index if exists video_to_remove'),
    ]
  }
}

/** The partitions are those ahead, or have had at most 100,000 events: their index takes a moment. */
async function indexIds(run: Run): Promise<void> {
  const partitions = await run<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'event'::regclass and not exists (
       select from pg_index x join pg_attribute a on a.attrelid = x.indrelid and a.attnum = x.indkey[0]
       where x.indrelid = c.oid and x.indnatts = 1 and a.attname = 'id')`,
  )
  for (const { name } of partitions) {
    await run(`create index ${name}_id_idx on ${name} (id)`)
    await run(`alter index event_id attach partition ${name}_id_idx`)
  }
}
