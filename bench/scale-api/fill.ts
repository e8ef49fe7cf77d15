import pg from 'pg'
import { countAccount } from '../../db/accounts/write-account-sums.ts'
import { openDatabase } from '../../db/database.ts'
import { migrate } from '../../db/migrate.ts'
import { DELIVERED_KEPT_DAYS } from '../../domain/limits.ts'
import { DEFAULT_RETENTION } from '../../domain/retention.ts'
import { addPastPartitions } from './past-partitions.ts'

/** How many rows a database is filled with. */
export interface Size {
  videos: number
  deliveries: number
  sessions: number
}

export interface FillTarget {
  url: string
  /** The first has eight videos of ten, the last twenty videos; the others share what is left. */
  accountIds: readonly [number, number, number]
  /** A rendition's facts as JSON, from a real ingest. */
  facts: string
}

/** The same in a database of any size, as in one whose work is done as fast as it comes. */
const WAITING = { deliveries: 500, videos: 200, deletions: 50, expired: 1000 }

/** Those of the deliveries and of the playback sessions that are kept. */
const PAST = { weeks: 13, months: 13 }

/** Of the largest account. */
const FOLDERS = 50

/** Each event has three deliveries. */
const eventsOf = ({ deliveries }: Size): number => Math.ceil(deliveries / 3)

const TABLES = [
  'video',
  'rendition',
  'event',
  'webhook_delivery',
  'webhook_attempt',
  'playback_record',
]

/** Returns the bytes of a row of each large table, with its indexes and its share of empty pages. */
export async function readRowBytes(url: string): Promise<{ table: string; bytes: number }[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const sizes = TABLES.map(
    (table) => `select '${table}' as table, (select sum(pg_total_relation_size(relid)) from (
      select relid from pg_partition_tree('${table}') union select '${table}'::regclass) t)::float8
        / (select count(*) from ${table}) as bytes`,
  )
  const { rows } = await client.query<{ table: string; bytes: number }>(sizes.join(' union all '))
  await client.end()
  return rows
}

/** Creates a migrated database on the server of another; returns its address. */
export async function createEmpty(url: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  const address = new URL(url)
  address.pathname = `/${name}`
  await migrate(address.href)
  return address.href
}

/**
 * Fills a migrated database by what a service has after two years: videos of that time, deliveries and sessions of
 * the time for which they are kept. Returns the bytes of its tables and indexes. Indexes are made at the end.
 */
export async function fill(target: FillTarget, size: Size): Promise<number> {
  const client = new pg.Client({ connectionString: target.url })
  await client.connect()
  try {
    for (const setting of FAST) await client.query(setting)
    await addPastPartitions(target.url, { ...PAST, events: eventsOf(size) })
    const indexes = await dropIndexes(client)
    for (const statement of statements(target, size)) await client.query(statement)
    for (const index of indexes) await client.query(index)
    await countAccounts(target)
    await client.query('vacuum (freeze, index_cleanup on, analyze)')
    const { rows } = await client.query<{ bytes: string }>(
      'select pg_database_size(current_database()) as bytes',
    )
    return Number(rows[0]?.bytes)
  } finally {
    await client.end()
  }
}

/** The rows were inserted without the triggers that keep the sums. */
async function countAccounts({ url, accountIds }: FillTarget): Promise<void> {
  const db = await openDatabase({ url, poolSize: 1 })
  try {
    await db.em.fork().execute('truncate account_sum, account_sum_delta')
    for (const accountId of accountIds) await countAccount(db.em.fork(), accountId)
  } finally {
    await db.close(true)
  }
}

/** Without triggers of foreign keys, and without a wait for the disk at each commit. */
const FAST = [
  `set session_replication_role = replica`,
  `set synchronous_commit = off`,
  `set maintenance_work_mem = '512MB'`,
  `set work_mem = '256MB'`,
]

/** Drops the indexes that belong to no constraint and no partitioned table; returns the statements that make them again. */
async function dropIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
     where schemaname = current_schema() and tablename = any($1)
       and not exists (select from pg_class where oid = tablename::regclass and relkind = 'p')
       and not exists (select from pg_constraint where conname = indexname)`,
    [TABLES],
  )
  for (const { name } of rows) await client.query(`drop index "${name}"`)
  // PostgreSQL says ONLY of a partitioned table, whose partitions would then lack the index.
  return rows.map(({ definition }) => definition.replace(' ON ONLY ', ' ON '))
}

const ID = `lpad(to_hex(n), 8, '0') || substr(md5(n::text), 1, 12)`
const sessionVideo = (videos: number) =>
  `(select ${ID} from (select (1 + (s * 7919::bigint) % ${videos})::int as n) x)`

function statements(
  { accountIds: [large, other, small], facts }: FillTarget,
  size: Size,
): string[] {
  const { videos, deliveries, sessions } = size
  const account = `case when n % 10 < 8 then ${large} else ${other} end`
  const events = eventsOf(size)
  const keptDays = DELIVERED_KEPT_DAYS - 1
  const sessionDays = DEFAULT_RETENTION.playbackSessionDays - 1
  const ageOf = (n: string, total: number, days: number) =>
    `now() - interval '1 day' * (${days} * (${n})::float8 / ${total})`
  return [
    `insert into folder (account_id, name) select ${large}, 'Folder ' || n from generate_series(1, ${FOLDERS}) n`,
    `insert into video (id, account_id, title, status, source_url, protection, created_at, updated_at, size_bytes,
       duration_ms, folder_id, external_id, tags, metadata, deleted_at, removed_at)
     select ${ID}, case when n <= 20 then ${small} else ${account} end,
       concat_ws(' ', (array['Opening', 'Evening', 'Summer', 'Physics', 'Chamber'])[1 + n % 5],
         (array['lesson', 'concert', 'lecture', 'interview'])[1 + n % 4],
         (array['about', 'with', 'for'])[1 + n % 3], substr(md5(n::text), 21, 8), n),
       case when n between 21 and ${20 + WAITING.videos} then 'processing' when n % 50 = 0 then 'failed' else 'ready' end,
       'https://files.example/video.mp4', case when n % 10 = 3 then 'multi-drm' else 'clearkey' end, at,
       at + interval '1 hour' * (n % 100), 5e7, 1000 * (1 + (n * 7919::bigint) % 7200),
       case when n > 20 and n % 10 < 8 and n % 7 > 0 then
         (select min(id) from folder where account_id = ${large}) + n % ${FOLDERS} end,
       'video-' || n, (array['Common', 'topic ' || n % 1000, 'course ' || n % 20])[1 + n % 4 / 3 : 3],
       jsonb_build_object('course', n % 200, 'room', n % 3),
       case when n between 1001 and ${1000 + WAITING.deletions} then now() - interval '1 hour'
         when n > 2000 and n % 100 = 1 then at + interval '1 minute' end,
       case when n > 2000 and n % 100 = 1 then at + interval '2 minutes' end
     from (select n, ${ageOf('n', videos, 700)} - interval '1 minute' as at from generate_series(1, ${videos}) n) v`,
    // In the order of their index.
    `insert into video_term (account_id, term, created_at, video_id)
     select v.account_id, term, v.created_at, v.id from video v, unnest(terms_of(v)) term order by 1, 2, 3, 4`,
    `insert into rendition (video_id, name, facts)
     select ${ID}, name, '${facts}'::jsonb
     from generate_series(1, ${videos}) n, unnest(array['360p', '720p']) name`,
    // As after a restore: all are settled, in the order of their numbers.
    `insert into event (id, account_id, type, body, created_at, transaction_id, number)
     select 'evt_' || md5(n::text), ${account}, case n % 2 when 0 then 'video.created' else 'video.ready' end,
       format('{"id":"evt_%s","type":"video.ready","data":{"id":"%s","title":"%s"}}', md5(n::text), ${ID},
         repeat(md5(n::text), 10)),
       ${ageOf(`${events} - n`, events, keptDays)}, '0', n
     from generate_series(1, ${events}) n`,
    `insert into webhook_delivery (id, account_id, endpoint_id, event_id, event_number, event_type, status, attempt_count,
       next_retry_at, created_at, completed_at)
     select d, ${account}, case when n % 10 < 8 then 1 else 2 end, 'evt_' || md5(n::text), n,
       case n % 2 when 0 then 'video.created' else 'video.ready' end,
       case when d > ${deliveries - WAITING.deliveries} then 'pending'
         when d % 1000 = 0 and d < ${deliveries / 2} then 'failed' else 'delivered' end,
       1, case when d > ${deliveries - WAITING.deliveries} then now() + interval '1 minute' end, at,
       case when d <= ${WAITING.expired} then now() - interval '${DELIVERED_KEPT_DAYS + 1} days'
         when d <= ${deliveries - WAITING.deliveries} then at + interval '1 second' end
     from (select d, (1 + (d - 1) / 3)::int as n, ${ageOf(`${deliveries} - d`, deliveries, keptDays)} - interval '1 minute' as at
       from generate_series(1, ${deliveries}) d) x`,
    `insert into webhook_attempt (delivery_id, number, trigger, started_at, duration_ms, response_status,
       response_headers, response_body, remote_ip, timings, delivery_status, delivery_completed_at)
     select id, 1, 'schedule', created_at, 40, 200, '{"content-type":"text/plain"}',
       'ok', '192.0.2.1', '{"dnsMs":1,"connectMs":10,"tlsMs":12,"firstByteMs":15}', status, completed_at
     from webhook_delivery`,
    `insert into playback_record (id, account_id, video_id, viewer_id, signing_secret_version, referer_host, user_agent,
       key_grants, started_at, last_seen_at, position_ms, watched_ms, bytes_loaded)
     select (lpad(to_hex(s), 8, '0') || substr(md5(s::text), 1, 24))::uuid,
       case when (1 + (s * 7919::bigint) % ${videos}) % 10 < 8 then ${large} else ${other} end, ${sessionVideo(videos)},
       'viewer-' || s % ${Math.ceil(sessions / 10)}, 1, 'site.example', 'Mozilla/5.0 (X11; Linux x86_64)',
       1, at, at + interval '10 minutes', 300000, 300000, 5e7
     from (select s, case when s <= ${WAITING.expired} then now() - interval '${sessionDays + 2} days'
         else ${ageOf(`${sessions} - s`, sessions, sessionDays)} end as at
       from generate_series(1, ${sessions}) s) x`,
    `select setval(pg_get_serial_sequence('webhook_delivery', 'id'), ${deliveries})`,
    `select setval('event_number_seq', ${events})`,
  ]
}
