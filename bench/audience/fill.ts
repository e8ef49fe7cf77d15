import pg from 'pg'

/** What the database has: the first account owns half of the videos, the others share the rest. */
export interface AudienceSize {
  videos: number
  days: number
  /** Viewers of the first account, each of whom has watched three videos. */
  viewers: number
}

/** How many values a video has on each day: twenty, besides its times to the first frame. */
const VALUES = { host: 8, browser: 5, system: 4, quality: 3 }
const STEPS = 10
/** Days that are inserted at once. */
const CHUNK_DAYS = 10
/** Days at the end whose hours are kept. */
const HOUR_DAYS = 35
/** As stored, of a video with 700 viewers a day and of an account with many. */
const SKETCH_BYTES = { video: 1_400, account: 2_048 }

// Without triggers of foreign keys, and without a wait for the disk at each commit.
const FAST = [
  'set session_replication_role = replica',
  'set synchronous_commit = off',
  `set maintenance_work_mem = '2GB'`,
]

const TABLES = [
  'audience_value',
  'audience_sketch',
  'audience_hour',
  'audience_day',
  'audience_peak',
  'audience_retention',
  'viewer_progress',
  'viewer',
]

/**
 * Fills a migrated database with the sums of an audience, as counted sessions leave them: rows lie in the order of their days. `owners`
 * are the accounts, the first of which owns half of the videos. The tables are not logged, which changes no read.
 */
export async function fillAudience(
  url: string,
  owners: readonly number[],
  size: AudienceSize,
): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const setting of FAST) await client.query(setting)
    for (const table of TABLES) await client.query(`alter table ${table} set unlogged`)
    await client.query(videosOf(owners, size.videos))
    await client.query(viewersOf(owners[0] ?? 0, size))
    await client.query('alter table audience_value drop constraint audience_value_pkey')
    for (let first = 0; first < size.days; first += CHUNK_DAYS) {
      const last = Math.min(size.days, first + CHUNK_DAYS) - 1
      for (const statement of daysFrom({ first, last, count: size.days }))
        await client.query(statement)
      console.error(`  … filled ${last + 1} days of ${size.days}`)
    }
    await client.query(
      'alter table audience_value add primary key (account_id, video_id, kind, day, value)',
    )
    await client.query('vacuum (freeze, analyze)')
  } finally {
    await client.end()
  }
}

const ID = (number: string): string =>
  `lpad(to_hex(${number}), 8, '0') || substr(md5(${number}::text), 1, 12)`

function videosOf([first = 0, ...others]: readonly number[], videos: number): string {
  const owner = `case when n <= ${videos / 2} then ${first} else (array[${others.join(', ')}])[1 + n % ${others.length}] end`
  return `insert into video (id, account_id, title, status, source_url, protection, size_bytes, duration_ms)
    select ${ID('n')}, ${owner}, 'lesson ' || n, 'ready', 'https://files.example/video.mp4', 'clearkey', 5e7, 600000
    from generate_series(1, ${videos}) n`
}

function viewersOf(account: number, { videos, viewers }: AudienceSize): string {
  const watched = `1 + n % 9, (1 + n % 9) * 200000, now() - n % 700 * interval '1 day', now() - n % 300 * interval '1 day'`
  const columns = 'account_id, viewer_id, plays, watched_ms, first_seen_at, last_seen_at'
  return `insert into viewer (${columns})
      select ${account}, 'viewer-' || n, ${watched} from generate_series(1, ${viewers}) n;
    insert into viewer_progress (${columns}, video_id, position_ms, parts)
      select ${account}, 'viewer-' || n, ${watched}, ${ID('k')}, 1000, repeat('10', 50)::bit(100)
      from generate_series(1, ${viewers}) n,
        lateral (select 1 + (n * 7 + c * 31) % ${videos / 2} as k from generate_series(0, 2) c) x`
}

const TOTALS = `plays, attempts, errors, watched_ms, media_ms, measured_plays, watched_parts, completions, stalls, stalled_ms,
  first_frames, first_frame_ms`
const totals = (plays: string): string =>
  `${plays}, ${plays} + 1, 0, ${plays} * 200000, ${plays} * 210000, ${plays}, ${plays} * 55, ${plays} / 3, 1, 500, ${plays}, ${plays} * 900`

/** The few most watched videos of an account have most of the plays of a day. */
const PLAYS = '(3 + 2000 / (1 + v.place))'

/** Videos with their place in their account; an empty id stands for all videos of it. */
const ALL = `(select account_id, id, row_number() over (partition by account_id order by id) as place from video
  union all select account_id, '', 0 from video group by account_id) v`

/**
 * A value gets its row with its first play of the day. All videos of an account have most of theirs in the first batches of a day, side by
 * side; those of a video come one by one.
 */
const BY_FIRST_PLAY = `order by d, v.id <> '', case v.id when '' then v.account_id end, c`

interface Days {
  /** The first and the last one that are inserted, from 0. */
  first: number
  last: number
  count: number
}

function daysFrom({ first, last, count }: Days): string[] {
  const day = `((now() at time zone 'UTC')::date - ${count - 1} + d)`
  const from = `from generate_series(${first}, ${last}) d, ${ALL}`
  const ofDay = `select v.account_id, v.id, ${day}`
  const values = (kind: string, value: string, most: number, condition = ''): string =>
    `insert into audience_value (account_id, video_id, day, kind, value, plays, watched_ms)
     ${ofDay}, '${kind}', ${value}, 1 + ${PLAYS} / c, 200000 ${from}, generate_series(1, ${most}) c ${condition} ${BY_FIRST_PLAY}`
  const hours = `insert into audience_hour (account_id, video_id, hour, ${TOTALS})
    select v.account_id, v.id, (${day} + h * interval '1 hour') at time zone 'UTC', ${totals(`(${PLAYS} / 10)`)}
    ${from}, generate_series(0, 23, 3) h where d >= ${count - HOUR_DAYS}`
  const bytes = `case v.id when '' then ${SKETCH_BYTES.account} else ${SKETCH_BYTES.video} end`
  return [
    `insert into audience_day (account_id, video_id, day, ${TOTALS}, viewer_days)
     ${ofDay}, ${totals(`(${PLAYS} * (d + 1))`)}, ${PLAYS} * (d + 1) / 2 ${from}`,
    `insert into audience_sketch ${ofDay}, substr(decode(repeat(md5(v.id || d), 128), 'hex'), 1, ${bytes}) ${from} where v.place < 100`,
    `insert into audience_peak ${ofDay}, (${PLAYS} / 20)::int + 1, now() ${from}`,
    `insert into audience_retention ${ofDay}, 3000, array_fill(2000, array[100]), array_fill(100, array[100]) ${from}
     where extract(day from ${day}) = 1 and v.id <> ''`,
    ...(last >= count - HOUR_DAYS ? [hours] : []),
    ...Object.entries(VALUES).map(([kind, most]) => values(kind, `'${kind} ' || c`, most)),
    values('startup', '(100 * c * c)::text', STEPS, 'where v.place < 100'),
  ]
}
