import { Migration } from '@mikro-orm/migrations'

/** Adds the keys that encrypt stored sources. Sources and originals stored before have none and stay as they are. */
export class SourceKeys extends Migration {
  override up(): void {
    this.addSql(`create table source_key (
      video_id text primary key references video (id), sealed_key text not null,
      created_at timestamptz not null default now())`)
  }
}
