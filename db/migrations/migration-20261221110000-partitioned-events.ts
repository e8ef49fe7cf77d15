import { EVENTS } from '../partitions/event-table.ts'
import { attachSteps } from '../schema/attach-steps.ts'
import { step, StepMigration, type Step } from '../schema/step-migration.ts'
import type { Run } from '../schema/transactions.ts'

/** Partitions the events by their numbers. The events until then are the first partition (ADR 0058). */
export class PartitionedEvents extends StepMigration {
  override steps(): Step[] {
    const steps = attachSteps({
      partitioned: EVENTS,
      old: 'event',
      first: 'event_old',
      // A unique index of a partitioned table needs the number in it.
      ownIndexes: ['event_pkey'],
    })
    // Behind the partitions ahead, which get this index by the next migration (`EventIndexes`).
    return steps.toSpliced(-1, 0, step('look-ups by id', indexIds, GUARD))
  }
}

/** The first partition has its primary key, and needs no other index of the ids. */
async function indexIds(run: Run): Promise<void> {
  await run('create index event_id on only event (id)')
  await run('create index event_default_id on event_default (id)')
  await run('alter index event_id attach partition event_default_id')
}

/** As for deliveries. */
const GUARD = `create trigger refuse_deletion_by_ctid before delete on event
  for each statement execute function refuse_deletion_by_ctid()`
