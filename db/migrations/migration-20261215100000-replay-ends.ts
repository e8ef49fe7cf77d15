import { Migration } from '@mikro-orm/migrations'

/**
 * Gives each replay the end of its events: those of transactions that began to write before its own. A replay that runs
 * during the migration gets the transaction of the migration.
 */
export class ReplayEnds extends Migration {
  override up(): void {
    this.addSql(`set local lock_timeout = '3s'`)
    this.addSql(`alter table webhook_replay
      add column end_transaction_id xid8 not null default pg_current_xact_id()`)
  }
}
