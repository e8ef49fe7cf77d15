import { Migration } from '@mikro-orm/migrations'

/** Adds the id of the source of which parts are stored. */
export class SourceWriteIds extends Migration {
  override up(): void {
    this.addSql(`alter table source_write add column source_id text null`)
  }
}
