import { Migration } from '@mikro-orm/migrations'

/** Makes the overview, the usage and the security events of a large account fast. */
export class Overview extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement)
  }
}

const STATEMENTS = [
  // Searched and counted by time.
  `create index security_event_account_created on security_event (account_id, created_at desc, id desc)
    include (severity, event_type, video_id, viewer_id)`,
  // The sum of the storage: read alone, without the rows, it takes a third of the time (measured).
  `create index video_account_storage on video (account_id) include (size_bytes, reserved_bytes)
    where deleted_at is null`,
]
