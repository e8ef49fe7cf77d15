import { Migration } from '@mikro-orm/migrations'

/** Adds what is stored of a source while it arrives, so that another process continues. */
export class SourceWrites extends Migration {
  override up(): void {
    this.addSql(`create table source_write (
      video_id text primary key references source_key (video_id) on delete cascade,
      token text not null, is_held boolean not null, validator text null, object_id text null,
      next_number int not null, parts jsonb not null, offset_bytes bigint not null, carry bytea not null,
      created_at timestamptz not null default now(), updated_at timestamptz not null default now())`)
  }
}
