import { Migration } from '@mikro-orm/migrations'

/** Adds which stored source the chunks of a video are made of. */
export class SourceIds extends Migration {
  override up(): void {
    this.addSql(`alter table source_key add column source_id text`)
  }
}
