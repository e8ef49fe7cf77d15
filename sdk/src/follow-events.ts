import { ReelgateError } from './error.ts'
import type { CallOptions } from './http.ts'
import { PAGE_LIMIT_MAX } from './pagination.ts'
import { sleep } from './sleep.ts'
import type { EventList, Query, WebhookEvent, WebhookEvents } from './types.ts'

const WAIT_MAX_SECONDS = 25
// The time of an attempt that is reserved for everything except the long poll.
const ATTEMPT_MARGIN_SECONDS = 5
const FIRST_RETRY_MS = 1000
const LAST_RETRY_MS = 30_000
// The pause after an empty response without a wait: the service accepts no long polls at the moment.
const REFUSED_POLL_PAUSE_MS = 5000
// How far the order of events can differ from that of their times, because of long transactions.
const SINCE_SLACK_MS = 60_000

/** The names of all event types. */
type AnyType = keyof WebhookEvents

export interface FollowOptions<T extends AnyType = AnyType> extends CallOptions {
  /** The types to return; all by default. */
  types?: readonly T[] | undefined
  /** Continues after the event with this id; null starts with the first event of the account. */
  after?: string | null | undefined
  /** Starts with the events created at this time; by default, existing events are skipped. */
  since?: Date | undefined
  /** Called before a failed request is retried after `waitMs`. */
  onRetry?: ((error: ReelgateError, waitMs: number) => void) | undefined
}

/** The call that following requires. */
export interface EventReader {
  list: (query: Query<'listEvents'>, options: CallOptions) => Promise<EventList>
}

/**
 * Yields each event of the account once, oldest first, in the order of the list. Requests the next
 * page when the loop has consumed the previous one. Uses long polls, fewer than 10,000 requests a
 * day. Retries transient errors, such as an outage or 429; throws other errors as ReelgateError.
 */
export async function* followEvents<T extends AnyType = AnyType>(
  events: EventReader,
  timeoutMs: number,
  options: FollowOptions<T> = {},
): AsyncGenerator<WebhookEvents[T], void, undefined> {
  const { since } = options
  const types: readonly AnyType[] | undefined = options.types
  const isSelected = (event: WebhookEvent): event is WebhookEvents[T] =>
    (!types || types.includes(event.type)) && !(since && Date.parse(event.created_at) < +since)
  const read = createRetryingReader(events, timeoutMs, options)
  const { after } = options
  const start = after === undefined ? await lastBefore(read, since) : after
  let fresh = start === null ? [await firstEvent(read)] : []
  let cursor = start ?? ''
  for (;;) {
    for (const event of fresh) {
      cursor = event.id
      if (isSelected(event)) yield event
    }
    const { data } = await read.next({ ending_before: cursor })
    fresh = [...data].reverse()
  }
}

/** Returns the id of the newest event before the requested ones; null if there is none. */
async function lastBefore(read: RetryingReader, since: Date | undefined): Promise<string | null> {
  if (!since) return (await read.page({ limit: 1 })).data[0]?.id ?? null
  const isBefore = ({ created_at: createdAt }: WebhookEvent): boolean =>
    Date.parse(createdAt) < +since - SINCE_SLACK_MS
  for (let query: Query<'listEvents'> = {}; ;) {
    const page = await read.page(query)
    const found = page.data.find(isBefore)
    const last = page.data.at(-1)
    if (found || !page.has_more || !last) return found?.id ?? null
    query = { starting_after: last.id }
  }
}

/** Returns the oldest event of the account, or waits for the first one. */
async function firstEvent(read: RetryingReader): Promise<WebhookEvent> {
  let page = await read.next({})
  for (;;) {
    const last = page.data.at(-1)
    if (last && !page.has_more) return last
    page = last ? await read.page({ starting_after: last.id }) : await read.next({})
  }
}

type Read = (query: Query<'listEvents'>) => Promise<EventList>

interface RetryingReader {
  page: Read
  /** Waits for new events; the page can still be empty after the wait. */
  next: Read
}

function createRetryingReader(
  events: EventReader,
  timeoutMs: number,
  { types, signal = new AbortController().signal, onRetry }: FollowOptions,
): RetryingReader {
  const pace = createPacer()
  const type = types?.length === 1 ? types[0] : undefined
  const page: Read = async (query) => {
    for (let retryMs = FIRST_RETRY_MS; ; retryMs = Math.min(2 * retryMs, LAST_RETRY_MS)) {
      await pace(signal)
      try {
        const filter = type ? { type } : {}
        return await events.list({ limit: PAGE_LIMIT_MAX, ...filter, ...query }, { signal })
      } catch (error) {
        if (!(error instanceof ReelgateError) || !error.isTransient) throw error
        // The server is not the API, so a retry does not help.
        if (error.code === 'invalid_response') throw error
        const waitMs = Math.max(retryMs, (error.retryAfterSeconds ?? 0) * 1000)
        onRetry?.(error, waitMs)
        await sleep(waitMs, signal)
      }
    }
  }
  const seconds = Math.floor(timeoutMs / 1000) - ATTEMPT_MARGIN_SECONDS
  const wait_seconds = Math.max(0, Math.min(WAIT_MAX_SECONDS, seconds))
  const next: Read = async (query) => {
    const startedAtMs = Date.now()
    const found = await page({ ...query, wait_seconds })
    const tookMs = Date.now() - startedAtMs
    if (found.data.length === 0 && tookMs < REFUSED_POLL_PAUSE_MS)
      await sleep(REFUSED_POLL_PAUSE_MS - tookMs, signal)
    return found
  }
  return { page, next }
}

// 8,640 requests a day and the initial 60: fewer than the 10,000 of a key, with room for others.
const BURST = 60
const INTERVAL_MS = 10_000

/**
 * Returns a function that resolves when the next request is allowed: 60, then one every 10 seconds.
 */
export function createPacer(): (signal: AbortSignal) => Promise<void> {
  let available = BURST
  let countedAtMs = Date.now()
  return async (signal) => {
    for (;;) {
      const nowMs = Date.now()
      available = Math.min(BURST, available + Math.max(0, nowMs - countedAtMs) / INTERVAL_MS)
      countedAtMs = nowMs
      if (available >= 1) break
      await sleep(Math.ceil((1 - available) * INTERVAL_MS), signal)
    }
    available -= 1
  }
}
