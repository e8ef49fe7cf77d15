import { Migration } from '@mikro-orm/migrations'

/** Adds what a video does not play, or not as its source has it, and the setting for what it takes from it. */
export class VideoWarnings extends Migration {
  override up(): void {
    this.addSql(`alter table video add column warnings jsonb not null default '[]'`)
    this.addSql(
      `update account set settings = '{"import_chapters_and_captions": true}' || settings`,
    )
  }
}
