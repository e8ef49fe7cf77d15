import { Migration } from '@mikro-orm/migrations'

/** Adds the copy of the picture of a source whose container cannot be read from the middle. */
export class SourceCopies extends Migration {
  override up(): void {
    this.addSql(`alter table source_key add column copy_id text`)
  }
}
