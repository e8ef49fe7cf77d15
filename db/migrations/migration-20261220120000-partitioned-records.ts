import { SECURITY_EVENTS } from '../partitions/partitioned-tables.ts'
import { attachSteps } from '../schema/attach-steps.ts'
import { step, StepMigration } from '../schema/step-migration.ts'

/** Partitions security events by ranges of their ids (ADR 0058). Processes of the release before go on with the table's name. */
export class PartitionedRecords extends StepMigration {
  override steps() {
    return [
      step(
        'security events without a foreign key',
        'alter table security_event drop constraint if exists security_event_account_id_fkey',
      ),
      ...attachSteps({
        partitioned: SECURITY_EVENTS,
        old: 'security_event',
        first: 'security_event_p0',
      }),
    ]
  }
}
