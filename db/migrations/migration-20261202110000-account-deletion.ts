import { Migration } from '@mikro-orm/migrations'

/** Adds the mark of accounts whose deletion has begun, which a workflow finishes. */
export class AccountDeletion extends Migration {
  override up(): void {
    this.addSql('alter table account add column deleted_at timestamptz null')
  }
}
