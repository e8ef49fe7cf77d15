import { PLAYBACK_RECORDS, SECURITY_EVENTS } from '../partitions/partitioned-tables.ts'
import { attachSteps } from '../schema/attach-steps.ts'
import { indexStep, step, StepMigration } from '../schema/step-migration.ts'

/**
 * Partitions security events by ranges of their ids, and playback sessions by their start (ADR 0058). Processes of the release before
 * go on with the name of the table of security events, and with the first partition of playback sessions, which keeps its name.
 */
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
      step(
        'playback sessions without foreign keys',
        `alter table playback_session drop constraint if exists playback_session_account_id_fkey,
         drop constraint if exists playback_session_video_id_fkey`,
      ),
      indexStep('playback_session_key', 'playback_session (id, started_at)', 'unique'),
      ...attachSteps({
        partitioned: PLAYBACK_RECORDS,
        old: 'playback_session',
        first: 'playback_session',
        ownIndexes: ['playback_session_pkey'],
      }),
    ]
  }
}
