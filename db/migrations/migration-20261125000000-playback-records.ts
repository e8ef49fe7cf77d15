import { Migration } from '@mikro-orm/migrations'

/** Adds playback sessions with their last positions, and revoked viewers. */
export class PlaybackRecords extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement)
  }
}

const STATEMENTS = [
  // Each heartbeat updates a row, so no index contains a changing column and pages keep room for new versions.
  `alter table playback_session add column position_ms int null,
    add column watched_ms int not null default 0,
    add column bytes_loaded bigint not null default '0',
    add column ended_at timestamptz null,
    add column noted text[] not null default '{}'`,
  `alter table playback_session set (fillfactor = 80)`,
  // The resume position: a viewer's newest session of a video.
  `create index playback_session_viewer on playback_session (video_id, viewer_id, started_at desc)
    where viewer_id is not null`,
  `create table revoked_viewer (
    account_id int not null references account (id), viewer_id text not null,
    revoked_at timestamptz not null default now(), primary key (account_id, viewer_id))`,
]
