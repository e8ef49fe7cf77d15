import { Migration } from '@mikro-orm/migrations'

/** Adds the indexes through which the purge finds what is old, so that its cost is that of what it deletes. */
export class RetentionIndexes extends Migration {
  override up(): void {
    this.addSql('create index playback_session_started on playback_session (started_at)')
    this.addSql('create index security_event_created on security_event (created_at)')
    this.addSql('create index audit_entry_created on audit_entry (created_at)')
    this.addSql('create index usage_day_day on usage_day (day)')
    this.addSql('create index video_removed on video (removed_at) where removed_at is not null')
    this.addSql('create index sign_in_guess_expire on sign_in_guess (expire)')
  }
}
