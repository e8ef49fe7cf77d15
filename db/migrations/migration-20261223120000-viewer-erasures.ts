import { SECURITY_EVENTS } from '../partitions/partitioned-tables.ts'
import { partitionedIndexSteps } from '../schema/partitioned-index-steps.ts'
import { step, StepMigration } from '../schema/step-migration.ts'

/** Adds the viewers who are to be erased, and the name under which a revocation of one stays. */
export class ViewerErasures extends StepMigration {
  override steps() {
    return [
      step(
        'viewers to erase',
        `create table viewer_erasure (id bigserial primary key, account_id int not null references account (id),
          viewer_id text not null, requested_at timestamptz not null default now(), unique (account_id, viewer_id))`,
        `create function erased_viewer(account_id int, viewer_id text) returns text language sql immutable parallel safe
          return 'erased:' || encode(sha256(convert_to(account_id || ' ' || viewer_id, 'UTF8')), 'hex')`,
      ),
      ...partitionedIndexSteps(
        SECURITY_EVENTS.table,
        'security_event_viewer',
        '(account_id, viewer_id) where viewer_id is not null',
      ),
    ]
  }
}
