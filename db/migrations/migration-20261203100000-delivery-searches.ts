import { Migration } from '@mikro-orm/migrations'

/**
 * Adds the indexes through which a list of deliveries finds those of a period, and the few that are not delivered, so
 * that it does not read the account's other deliveries (`npm run bench -- scale-api`).
 */
export class DeliverySearches extends Migration {
  override up(): void {
    this.addSql(
      'create index webhook_delivery_account_created on webhook_delivery (account_id, created_at desc, id desc)',
    )
    this
      .addSql(`create index webhook_delivery_account_undelivered on webhook_delivery (account_id, status, id desc)
      where status in ('pending', 'failed')`)
  }
}
