import { Migration } from '@mikro-orm/migrations'

/**
 * Adds which chunks of the other rungs are taken by an activity (ADR 0076). A table of its own, because workers of the release before
 * replace a claim of the first rung by its index alone.
 */
export class LaterChunkClaims extends Migration {
  override up(): void {
    this.addSql(`create table later_chunk_claim (
      video_id text not null references video (id), count int not null, ticket int not null,
      index int not null, created_at timestamptz not null default now(),
      primary key (video_id, count, ticket), unique (video_id, count, index))`)
  }
}
