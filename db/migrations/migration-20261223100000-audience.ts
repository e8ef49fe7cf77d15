import { PLAYBACK_RECORDS } from '../partitions/partitioned-tables.ts'
import { partitionedIndexSteps } from '../schema/partitioned-index-steps.ts'
import { step, StepMigration } from '../schema/step-migration.ts'

/**
 * Adds what players measure to playback sessions, and the sums of it by hour, day, month and viewer (ADR 0065). Sessions from before
 * are not open, so only what they play after the upgrade is counted. A backfill fills the progress of viewers from them.
 */
export class Audience extends StepMigration {
  override steps() {
    return [
      step('sums of the audience', ...SUMS),
      step('viewers', ...VIEWERS),
      step('measures of sessions', ...MEASURES),
      ...partitionedIndexSteps(
        PLAYBACK_RECORDS.table,
        'playback_record_open',
        '(started_at, id) where is_open',
      ),
    ]
  }
}

const TOTALS = `plays bigint not null default 0, attempts bigint not null default 0, errors bigint not null default 0,
  watched_ms bigint not null default 0, media_ms bigint not null default 0, measured_plays bigint not null default 0,
  watched_parts bigint not null default 0, completions bigint not null default 0, stalls bigint not null default 0,
  stalled_ms bigint not null default 0, first_frames bigint not null default 0, first_frame_ms bigint not null default 0`

/** An empty video id is all videos of the account. */
const OF = 'account_id int not null references account (id), video_id text not null'

const PURGED = [
  ['audience_hour', 'hour'],
  ['audience_day', 'day'],
  ['audience_value', 'day'],
  ['audience_retention', 'month'],
  ['audience_sketch', 'day'],
  ['audience_peak', 'day'],
] as const

const SUMS = [
  // Pages keep room for new versions of a row: those of today change each minute.
  `create table audience_hour (${OF}, hour timestamptz not null, ${TOTALS},
    primary key (account_id, video_id, hour)) with (fillfactor = 80)`,
  // Each row has the totals from the beginning up to the end of its day, so a range is the difference of two rows.
  `create table audience_day (${OF}, day date not null, ${TOTALS}, viewer_days bigint not null default 0,
    primary key (account_id, video_id, day)) with (fillfactor = 80)`,
  `create table audience_value (${OF}, day date not null, kind text not null, value text not null,
    plays bigint not null default 0, watched_ms bigint not null default 0,
    primary key (account_id, video_id, kind, day, value)) with (fillfactor = 80)`,
  `create table audience_retention (${OF}, month date not null, views bigint not null,
    parts int[] not null, replays int[] not null, primary key (account_id, video_id, month)) with (fillfactor = 80)`,
  `create table audience_sketch (${OF}, day date not null, sketch bytea not null,
    primary key (account_id, video_id, day))`,
  `create table audience_peak (${OF}, day date not null, sessions int not null, reached_at timestamptz not null,
    primary key (account_id, video_id, day))`,
  // For the purge alone. Days come in their order, so the smallest index will do.
  ...PURGED.map(
    ([table, column]) => `create index ${table}_${column} on ${table} using brin (${column})`,
  ),
]

const WATCHED = `plays int not null default 0, watched_ms bigint not null default 0, first_seen_at timestamptz not null,
  last_seen_at timestamptz not null, last_day date null, recent_days int not null default 0`

const VIEWERS = [
  `create table viewer (id bigserial unique, account_id int not null references account (id), viewer_id text not null,
    ${WATCHED}, primary key (account_id, viewer_id))`,
  'create index viewer_account on viewer (account_id, id)',
  'create index viewer_search on viewer (account_id, viewer_id text_pattern_ops)',
  'create index viewer_last_seen on viewer (last_seen_at)',
  `create table viewer_progress (id bigserial unique, account_id int not null references account (id), viewer_id text not null,
    video_id text not null, ${WATCHED}, position_ms int null, parts bit(100) null, completed_at timestamptz null,
    primary key (account_id, viewer_id, video_id))`,
  'create index viewer_progress_video on viewer_progress (video_id, id)',
  'create index viewer_progress_account on viewer_progress (account_id, id)',
  'create index viewer_progress_viewer on viewer_progress (account_id, viewer_id, id)',
  'create index viewer_progress_last_seen on viewer_progress (last_seen_at)',
  `insert into backfill (name) values ('viewer-progress')`,
]

/** The measures of a session that is counted up to now. */
const COUNTED = `jsonb_build_object('watchedMs', old.watched_ms, 'mediaMs', old.media_ms, 'parts', old.parts::text,
  'replayedParts', old.replayed_parts::text, 'firstFrameMs', old.first_frame_ms, 'stalls', old.stalls,
  'stalledMs', old.stalled_ms, 'quality', old.quality, 'speed', old.speed, 'error', old.error)`

const MEASURED = [
  'watched_ms',
  'media_ms',
  'parts',
  'replayed_parts',
  'first_frame_ms',
  'stalls',
  'stalled_ms',
  'quality',
  'speed',
  'error',
  'position_ms',
]
const rowOf = (row: string): string => `(${MEASURED.map((name) => `${row}.${name}`).join(', ')})`

const MEASURES = [
  // What each heartbeat changes comes first: PostgreSQL does not log the unchanged end of a row.
  `alter table playback_record add column media_ms int not null default 0, add column parts bit(100) null,
    add column stretches bytea null, add column replayed_parts bit(100) null, add column stalled_ms int not null default 0,
    add column stalls smallint not null default 0, add column quality smallint null, add column speed smallint null,
    add column first_frame_ms int null, add column error text null, add column is_open boolean not null default false,
    add column counted jsonb null, add column counted_at timestamptz null`,
  'alter table playback_record alter column is_open set default true',
  // By a trigger, because processes of the release before write heartbeats too.
  `create function reopen_session() returns trigger language plpgsql as $$ begin
    new.is_open := true;
    new.counted := ${COUNTED};
    return new;
  end $$`,
  `create trigger reopen_session before update on playback_record for each row
    when (not old.is_open and ${rowOf('old')} is distinct from ${rowOf('new')})
    execute function reopen_session()`,
]
