import { Migration } from '@mikro-orm/migrations'

/** Workers that encode chunks of one rendition at the same time each have their own row. */
export class ChunkProgress extends Migration {
  override up(): void {
    this.addSql(
      `alter table ingest_progress add column part int not null default 0,
         add column parts int not null default 1 check (parts > part),
         add column started_at timestamptz not null default now(),
         drop constraint ingest_progress_pkey, add primary key (video_id, name, part)`,
    )
  }
}
