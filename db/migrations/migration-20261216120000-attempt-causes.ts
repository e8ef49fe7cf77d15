import { Migration } from '@mikro-orm/migrations'

/** Adds why an attempt failed, with its remedy, and how the response was decoded; attempts from before have neither. */
export class AttemptCauses extends Migration {
  override up(): void {
    this.addSql(`set local lock_timeout = '3s'`)
    this.addSql(
      `alter table webhook_attempt add column error_cause text, add column error_message text,
         add column response_encoding text`,
    )
  }
}
