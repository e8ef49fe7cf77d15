import { Migration } from '@mikro-orm/migrations'

/** Adds the recorded chunks of renditions that are not published yet. */
export class RenditionChunks extends Migration {
  override up(): void {
    this.addSql(`create table rendition_chunk (
      video_id text not null references video (id), name text not null,
      count int not null, index int not null check (index between 0 and count - 1),
      facts jsonb not null, size_bytes bigint not null,
      created_at timestamptz not null default now(), primary key (video_id, name, count, index))`)
  }
}
