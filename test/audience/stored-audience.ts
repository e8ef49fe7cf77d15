import type { Database } from '../../db/database.ts'
import type { ExpectedAudience } from './oracle.ts'

const TOTALS = [
  'plays',
  'attempts',
  'errors',
  'watched_ms',
  'media_ms',
  'measured_plays',
  'watched_parts',
  'completions',
  'stalls',
  'stalled_ms',
  'first_frames',
  'first_frame_ms',
]

/** Reads the sums that the database has, in the form of the oracle. Sums of nothing are left out of both. */
export async function storedAudience(db: Database): Promise<ExpectedAudience> {
  const read = async (text: string): Promise<(Record<string, unknown> & { key: string })[]> =>
    db.em.fork().execute(text)
  const numbers = (row: object): Record<string, number> =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value)]))
  const sums = async (text: string) =>
    new Map((await read(text)).map(({ key, ...row }) => [key, numbers(row)]))
  const each = (column: (name: string) => string): string => TOTALS.map(column).join(', ')
  const before = (name: string): string => `${name} - coalesce(lag(${name}) over before, 0) as `
  const retention = await read(
    `select account_id || ' ' || video_id || ' ' || month as key, views::int, parts, replays from audience_retention`,
  )
  const progress = await read(
    `select account_id || ' ' || viewer_id || ' ' || video_id as key, plays, watched_ms::int as "watchedMs", parts::text,
       completed_at is not null as "isComplete" from viewer_progress`,
  )
  return {
    hours: await sums(
      `select account_id || ' ' || video_id || ' ' || to_char(hour at time zone 'UTC', 'YYYY-MM-DD"T"HH24') as key, ${each((name) => name)}
       from audience_hour`,
    ),
    days: await sums(
      `select account_id || ' ' || video_id || ' ' || day as key, ${before('viewer_days')} viewers, ${each((name) => before(name) + name)}
       from audience_day window before as (partition by account_id, video_id order by day)`,
    ),
    values: await sums(
      `select account_id || ' ' || video_id || ' ' || day || ' ' || kind || ' ' || value as key, plays, watched_ms
       from audience_value where plays <> 0`,
    ),
    retention: new Map(retention.map(({ key, ...row }) => [key, row as never])),
    progress: new Map(
      progress.map(({ key, parts, ...row }) => [key, { ...row, parts: setOf(parts) } as never]),
    ),
  }
}

const setOf = (parts: unknown): Set<number> =>
  new Set(Array.from(String(parts)).flatMap((bit, at) => (bit === '1' ? [at] : [])))

/** Returns the differences of both, at most `limit` of them. */
export function differences(
  stored: ExpectedAudience,
  expected: ExpectedAudience,
  limit = 10,
): string[] {
  const found: string[] = []
  for (const name of Object.keys(expected) as (keyof ExpectedAudience)[]) {
    const [a, b] = [plain(stored[name]), plain(expected[name])]
    for (const key of new Set([...a.keys(), ...b.keys()]))
      if (a.get(key) !== b.get(key))
        found.push(`${name} ${key}: ${a.get(key)} instead of ${b.get(key)}`)
  }
  return found.slice(0, limit)
}

function plain(sums: ReadonlyMap<string, object>): Map<string, string> {
  const texts = [...sums].map(([key, sum]) => {
    const entries = Object.entries(sum).flatMap(([name, value]: [string, unknown]) =>
      value === 0
        ? []
        : [[name, value instanceof Set ? [...value].toSorted((a, b) => a - b) : value] as const],
    )
    return [key, JSON.stringify(entries.toSorted(([a], [b]) => a.localeCompare(b)))] as const
  })
  return new Map(texts.filter(([, text]) => text !== '[]'))
}
