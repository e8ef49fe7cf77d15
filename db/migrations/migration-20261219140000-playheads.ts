import { Migration } from '@mikro-orm/migrations'

/** Adds where the viewers of a video are that is being encoded. They go with its outline. */
export class Playheads extends Migration {
  override up(): void {
    this.addSql(`set local lock_timeout = '3s'`)
    this.addSql(`create table playhead (
      video_id text not null references growing_film (video_id) on delete cascade,
      index int not null, seen_at timestamptz not null default now(), primary key (video_id, index))`)
  }
}
