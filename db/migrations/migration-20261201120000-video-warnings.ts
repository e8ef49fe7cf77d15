import { Migration } from '@mikro-orm/migrations'

/** Adds what a video does not play, or not as its source has it. */
export class VideoWarnings extends Migration {
  override up(): void {
    this.addSql(`alter table video add column warnings jsonb not null default '[]'`)
  }
}
