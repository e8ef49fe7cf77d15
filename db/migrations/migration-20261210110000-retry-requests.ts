import { Migration } from '@mikro-orm/migrations'

/** Adds when an attempt outside the schedule was requested, so that a delivery is signalled once for each attempt. */
export class RetryRequests extends Migration {
  override up(): void {
    this.addSql('alter table webhook_delivery add column retry_requested_at timestamptz null')
  }
}
