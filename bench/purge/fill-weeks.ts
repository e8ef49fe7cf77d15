import type { Client } from 'pg'
import { DELIVERED_KEPT_DAYS } from '../../domain/limits.ts'

const DAY_MS = 24 * 3_600_000
/** Whole weeks that are over, with the day that the purge waits for late transactions. */
const OVER_DAYS = DELIVERED_KEPT_DAYS + 9
const WEEKS = 4

/** The Mondays of the four weeks before the last one that is over. */
export function mondaysOfMonth(nowMs: number): Date[] {
  const at = new Date(nowMs - OVER_DAYS * DAY_MS)
  const monday = at.getUTCDate() - ((at.getUTCDay() + 6) % 7)
  return Array.from(
    { length: WEEKS },
    (_, ago) => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), monday - 7 * ago)),
  )
}

/**
 * Fills the weeks with `count` delivered deliveries of one account, each with its attempt; returns the bytes of their
 * partitions.
 */
export async function fillWeeks(client: Client, mondays: Date[], count: number): Promise<number> {
  let bytes = 0
  for (const [index, monday] of mondays.entries()) {
    const from = monday.toISOString()
    const to = new Date(monday.getTime() + 7 * DAY_MS).toISOString()
    const rows = Math.ceil(count / mondays.length)
    const first = index * rows
    for (const [table, insert] of Object.entries(insertsOf(from, first, rows))) {
      const name = `${table}_p${from.slice(0, 10).replaceAll('-', '')}`
      await client.query(
        `create table ${name} partition of ${table} for values from ('${from}') to ('${to}')`,
      )
      await client.query(`insert into ${name} ${insert}`)
      // As after weeks: otherwise autovacuum holds the lock for which a drop waits.
      await client.query(`vacuum (freeze, analyze) ${name}`)
      const size = await client.query<{ bytes: string }>(
        `select pg_total_relation_size('${name}') as bytes`,
      )
      bytes += Number(size.rows[0]?.bytes)
    }
    console.error(`  … ${first + rows} deliveries`)
  }
  return bytes
}

const insertsOf = (from: string, first: number, rows: number): Record<string, string> => ({
  webhook_delivery_delivered: `(id, account_id, endpoint_id, event_id, event_number, event_type, status, attempt_count,
      created_at, completed_at)
    select n, 1, 1 + n % 20, 'evt_' || md5(n::text), n, 'video.ready', 'delivered', 1, at, at + interval '1 second'
    from (select n, '${from}'::timestamptz + (n - ${first}) * interval '6 days' / ${rows} as at
      from generate_series(${first + 1}, ${first + rows}) n) x`,
  webhook_attempt_delivered: `(delivery_id, number, started_at, duration_ms, response_status, response_headers,
      response_body, remote_ip, timings, delivery_status, delivery_completed_at)
    select n, 1, at, 40, 200, '{"content-type":"text/plain"}', 'ok', '192.0.2.1',
      '{"dnsMs":1,"connectMs":10,"tlsMs":12,"firstByteMs":15}', 'delivered', at + interval '1 second'
    from (select n, '${from}'::timestamptz + (n - ${first}) * interval '6 days' / ${rows} as at
      from generate_series(${first + 1}, ${first + rows}) n) x`,
})
