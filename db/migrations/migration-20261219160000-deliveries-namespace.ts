import { Migration } from '@mikro-orm/migrations'

/**
 * Adds where each running worker takes deliveries from. Workers of the release before record nothing, and while one runs, deliveries
 * begin where it looks for them (ADR 0060).
 */
export class DeliveriesNamespace extends Migration {
  override up(): void {
    this.addSql(`set local lock_timeout = '3s'`)
    this.addSql('alter table worker_beat add column deliveries_namespace text')
  }
}
