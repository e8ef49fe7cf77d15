import type pg from 'pg'
import type { Partitioned } from '../../db/partitions/partitioned.ts'

/** A table of which a month is filled, twice: one to delete, one to drop. */
export interface FilledTable {
  partitioned: Partitioned
  /** The limits of an old partition, as SQL: `[from, to)`, before all others. */
  limits: (month: number) => { from: string; to: string }
  /** Inserts `rows` rows into the partition of a month. */
  insert: (month: number, rows: number) => string
}

const monthAgo = (month: number): Date => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 20 + month, 1))
}

const quoted = (at: Date): string => `'${at.toISOString()}'`

/** Playback sessions of a month, spread over it, of a video and a thousand viewers. */
export const sessionsOf = (
  partitioned: Partitioned,
  { accountId, videoId }: { accountId: number; videoId: string },
): FilledTable => ({
  partitioned,
  limits: (month) => ({ from: quoted(monthAgo(month)), to: quoted(monthAgo(month + 1)) }),
  insert: (month, rows) =>
    `insert into playback_record (id, account_id, video_id, viewer_id, signing_secret_version, referer_host, user_agent,
       started_at, last_seen_at, position_ms, watched_ms, bytes_loaded)
     select gen_random_uuid(), ${accountId}, '${videoId}', 'viewer-' || n % 1000, 1, 'site.example',
       'Mozilla/5.0 (X11; Linux x86_64)', ${quoted(monthAgo(month))}::timestamptz + n * interval '27 days' / ${rows},
       now(), 300000, 300000, 5e7
     from generate_series(0, ${rows - 1}) n`,
})

/** Makes partitions for two old months beside the first one, which gives up their range, and fills both. Returns their names. */
export async function fillMonths(
  client: pg.Client,
  { partitioned, limits, insert }: FilledTable,
  first: string,
  rows: number,
): Promise<[string, string]> {
  const { table } = partitioned
  await client.query(`alter table ${table} detach partition ${first}`)
  const names: [string, string] = [`${table}_bench_0`, `${table}_bench_1`]
  for (const [month, name] of names.entries()) {
    const { from, to } = limits(month)
    await client.query(
      `create table ${name} partition of ${table} for values from (${from}) to (${to})`,
    )
    await client.query(insert(month, rows))
  }
  await client.query('vacuum analyze')
  return names
}
