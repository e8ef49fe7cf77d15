import { Migration } from '@mikro-orm/migrations'

/**
 * Adds what a workflow has left to do for a webhook endpoint: remove a deleted one with its deliveries, or end the
 * waiting deliveries of a disabled one.
 */
export class EndpointSettlement extends Migration {
  override up(): void {
    this.addSql(`alter table webhook_endpoint
      add column deleted_at timestamptz null, add column cut_off_at timestamptz null`)
    this.addSql(`create index webhook_endpoint_deleted on webhook_endpoint (account_id)
      where deleted_at is not null`)
    this.addSql(`create index webhook_endpoint_unsettled on webhook_endpoint (id)
      where deleted_at is not null or cut_off_at is not null`)
  }
}
