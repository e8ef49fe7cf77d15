import type {
  NewSecurityEvent,
  TalliedRow,
} from '../../../commands/security-events/write-event-rows.ts'
import { SECURITY_EVENT_REPEAT_MS, SECURITY_EVENTS_PER_MINUTE } from '../../../domain/limits.ts'
import { setNewest } from '../limits/rate-limit.ts'

/** A security event that a player observes. */
export interface ObservedEvent extends NewSecurityEvent {
  /** The HTTP request that caused it. */
  requestId: string
  /**
   * The viewer or the network, if further events of the same kind and reason in the next hour are counted on the first;
   * null if each is recorded.
   */
  repeatsOf: string | null
}

/** Decides which observed events get a row of their own, and on which row the others are counted. */
export interface Tally {
  /** Returns the rows that a batch of events inserts or changes. */
  rowsOf: (events: ObservedEvent[]) => TalliedRow[]
  /** Ends a batch that was committed; returns how many events it had. */
  settle: (rows: TalliedRow[]) => number
  /** Forgets the rows of a batch that was not committed. */
  forget: (rows: TalliedRow[]) => void
}

const OPEN_ROWS_MAX = 20_000
const MINUTE_MS = 60_000

type OpenRow = TalliedRow & { untilMs: number }

/**
 * Opens a tally. An account gets `SECURITY_EVENTS_PER_MINUTE` rows each minute, and one more for each kind and reason
 * that the rest is counted on.
 */
export function createTally(nowMs: () => number = Date.now): Tally {
  const open = new Map<string, OpenRow>()
  let minute = 0
  const ownRows = new Map<number, number>()

  const takeOwnRow = (accountId: number): boolean => {
    const used = ownRows.get(accountId) ?? 0
    if (used >= SECURITY_EVENTS_PER_MINUTE) return false
    ownRows.set(accountId, used + 1)
    return true
  }
  const openRow = (key: string | null, event: ObservedEvent, untilMs: number): OpenRow => {
    const row = { event, id: null, more: 0, untilMs }
    if (key !== null) setNewest(open, key, row, OPEN_ROWS_MAX)
    return row
  }
  const toRow = (event: ObservedEvent, at: number): OpenRow => {
    const { accountId, details = {}, repeatsOf } = event
    const repeatKey = repeatsOf === null ? null : tallyKey(event, details, repeatsOf)
    const reason = reasonOf(details)
    const sumKey = tallyKey(event, reason, minute)
    const known = openAt(repeatKey, at) ?? openAt(sumKey, at)
    if (known) return known
    if (takeOwnRow(accountId)) return openRow(repeatKey, event, at + SECURITY_EVENT_REPEAT_MS)
    const sum = { ...event, videoId: null, viewerId: null, details: reason }
    return openRow(sumKey, sum, (minute + 1) * MINUTE_MS)
  }
  const openAt = (key: string | null, at: number): OpenRow | undefined => {
    const row = key === null ? undefined : open.get(key)
    return row && row.untilMs > at ? row : undefined
  }
  return {
    rowsOf(events) {
      const at = nowMs()
      if (Math.floor(at / MINUTE_MS) !== minute) ownRows.clear()
      minute = Math.floor(at / MINUTE_MS)
      const rows = new Set<OpenRow>()
      for (const event of events) {
        const row = toRow(event, at)
        row.more += 1
        rows.add(row)
      }
      return [...rows]
    },
    settle(rows) {
      const count = rows.reduce((sum, { more }) => sum + more, 0)
      for (const row of rows) row.more = 0
      return count
    },
    forget(rows) {
      const gone = new Set(rows)
      for (const [key, row] of open) if (gone.has(row)) open.delete(key)
    },
  }
}

type Details = NonNullable<NewSecurityEvent['details']>

const tallyKey = (
  { accountId, eventType, severity }: ObservedEvent,
  details: Details,
  scope: string | number,
): string => JSON.stringify([accountId, eventType, severity, details, scope])

/** The details of which there are few values, so that few rows sum up everything else. */
const REASONS = ['reason', 'how', 'revoked_by']

const reasonOf = (details: Details): Details =>
  Object.fromEntries(Object.entries(details).filter(([name]) => REASONS.includes(name)))
