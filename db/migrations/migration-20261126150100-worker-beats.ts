import { Migration } from '@mikro-orm/migrations'

/** Which workers run: Temporal does not know of one whose slots are all taken. Lost in a crash of PostgreSQL. */
export class WorkerBeats extends Migration {
  override up(): void {
    this.addSql(
      `create unlogged table worker_beat (worker text primary key, queues text[] not null,
       seen_at timestamptz not null default now())`,
    )
  }
}
