import { Migration } from '@mikro-orm/migrations'

/**
 * Adds why an attempt failed, with its remedy, and how the response was decoded; attempts from before have neither. The relay
 * finds the requests of each account by the index.
 */
export class AttemptCauses extends Migration {
  override up(): void {
    this.addSql(`set local lock_timeout = '3s'`)
    this.addSql(
      `alter table webhook_attempt add column error_cause text, add column error_message text,
         add column response_encoding text`,
    )
    this.addSql(`create index outbox_account_due on outbox (account_id, due_at, id)`)
  }
}
