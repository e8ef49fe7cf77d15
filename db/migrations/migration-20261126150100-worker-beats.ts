import { Migration } from '@mikro-orm/migrations'

/**
 * Adds the list of running workers, because Temporal does not report a worker whose slots are all in use. Unlogged: a
 * crash of PostgreSQL empties it.
 */
export class WorkerBeats extends Migration {
  override up(): void {
    this.addSql(
      `create unlogged table worker_beat (worker text primary key, queues text[] not null,
       seen_at timestamptz not null default now())`,
    )
  }
}
