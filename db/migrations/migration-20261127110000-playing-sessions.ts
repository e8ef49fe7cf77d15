import { Migration } from '@mikro-orm/migrations'

/** Finds the sessions of an account that play now. */
export class PlayingSessions extends Migration {
  override up(): void {
    // Not by the last heartbeat: its updates would then write every index of the table.
    this.addSql(
      'create index playback_session_account on playback_session (account_id, started_at desc)',
    )
  }
}
