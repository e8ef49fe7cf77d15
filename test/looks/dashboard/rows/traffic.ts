import { randomUUID } from 'node:crypto'
import { insertRow } from '../../../fixtures/insert-row.ts'
import {
  DAY,
  hexOf,
  HOUR,
  insertOwn,
  minutesBefore,
  turn,
  type FilledAccount,
} from './filled-account.ts'
import { MANY_VIDEOS } from './titles.ts'
import type { VideoIds } from './videos.ts'

const HOSTS = ['www.school.example', 'intranet.school.example', 'press.example', null]
const DEVICES = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/141.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) Version/18.1 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0',
]
/** Longer than making all pictures takes. */
const STILL_PLAYING_MINUTES = 90

const EVENTS = [
  ['domain_refused', 'medium', { reason: 'domain_not_allowed', host: 'copy.example' }],
  ['viewer_token_required', 'low', {}],
  ['watermark_tampered', 'high', { reason: 'removed' }],
  ['session_over_limit', 'medium', {}],
  ['licence_refused', 'medium', { reason: 'viewer_revoked' }],
] as const

const viewerOf = (index: number): string => `student-${1000 + 37 * index}@school.example`

/** Inserts plays, some of which go on, and what the protection has refused. */
export async function insertTraffic(
  account: FilledAccount,
  videos: VideoIds,
  count: number,
): Promise<void> {
  const played = MANY_VIDEOS.filter(({ status }) => status === undefined)
    .map(({ title }) => videos.get(title))
    .filter((id) => id !== undefined)
  for (let index = 0; index < count * 3; index += 1)
    await insertOwn(account, 'playback_record', {
      id: randomUUID(),
      video_id: turn(played, index * index),
      viewer_id: index % 4 === 3 ? null : viewerOf(index % 11),
      signing_secret_version: 1,
      referer_host: turn(HOSTS, index),
      user_agent: turn(DEVICES, index),
      position_ms: 40_000 + 7_000 * index,
      watched_ms: 38_000 + 6_000 * index,
      bytes_loaded: 3_000_000 + 811_000 * index,
      started_at: minutesBefore(account, 12 + index * 97),
      last_seen_at: minutesBefore(account, index < 5 ? -STILL_PLAYING_MINUTES : index * 97),
      ended_at: index < 5 ? null : minutesBefore(account, index * 97),
    })
  for (let index = 0; index < count; index += 1) {
    const [type, severity, details] = turn(EVENTS, index)
    await insertOwn(account, 'security_event', {
      event_type: type,
      severity,
      details: JSON.stringify(details),
      video_id: turn(played, index),
      viewer_id: index % 3 === 1 ? null : viewerOf(index % 7),
      created_at: minutesBefore(account, (count - index) * 3 * HOUR - 150),
    })
  }
}

/** Bytes and minutes of a plan that is nearly used up. */
const PLAN = { storage: 9_000_000_000, bandwidth: 2_000_000_000_000, minutes: 3_000 }

/** Inserts a plan with limits, the usage of the days before `shownDay`, and payments. */
export async function insertUsage(account: FilledAccount, shownDay: string): Promise<void> {
  const { t, accountId, start } = account
  await t.execute(
    `update plan set storage_limit_bytes = ?, bandwidth_limit_bytes = ?, encoding_limit_minutes = ?
     where account_id = ?`,
    [PLAN.storage, PLAN.bandwidth, PLAN.minutes, accountId],
  )
  const end = Date.parse(shownDay)
  for (let ago = 0; ago < 90; ago += 1) {
    const date = new Date(end - ago * DAY * 60_000)
    const isWeekend = [0, 6].includes(date.getUTCDay())
    // Some days like others, none the same.
    const share = Number.parseInt(hexOf(`day ${ago}`, 4), 16) / 65_535
    await insertRow(t, 'usage_day', {
      account_id: accountId,
      day: date.toISOString().slice(0, 10),
      bandwidth_bytes: Math.round((isWeekend ? 12e9 : 48e9) * (0.6 + share)),
      encoded_ms: Math.round(share * 5_400_000),
    })
  }
  // What counts for the limits of the month is that of the real one.
  await t.execute(
    `insert into usage_day (account_id, day, bandwidth_bytes, encoded_ms) values (?, ?, ?, 0)
     on conflict (account_id, day) do update set bandwidth_bytes = excluded.bandwidth_bytes`,
    [accountId, start.toISOString().slice(0, 10), PLAN.bandwidth * 0.93],
  )
  for (let month = 1; month <= 5; month += 1)
    await insertOwn(account, 'payment', {
      amount: 14_900,
      currency: 'eur',
      plan_type: 'Studio',
      billing_cycle: 'monthly',
      reference: `stripe:in_${accountId}_${month}`,
      created_at: minutesBefore(account, (6 - month) * 30 * DAY),
    })
}
