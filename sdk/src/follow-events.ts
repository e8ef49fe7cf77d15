import { ReelgateError } from './error.ts'
import type { CallOptions } from './http.ts'
import { PAGE_LIMIT_MAX } from './pagination.ts'
import { createPacer } from './pacer.ts'
import { sleep } from './sleep.ts'
import type { EventList, Query, WebhookEvent, WebhookEvents } from './types.ts'

const WAIT_MAX_SECONDS = 25
// What is left of a try's time for everything but the waiting.
const TRY_MARGIN_SECONDS = 5
const FIRST_RETRY_MS = 1000
const LAST_RETRY_MS = 30_000
// An empty answer that came at once: the service lets nobody wait at the moment.
const UNWELCOME_PAUSE_MS = 5000
// How far the order of events may differ from that of their times: a long transaction.
const SINCE_SLACK_MS = 60_000

/** Every event type: what `types` can name. */
type AnyType = keyof WebhookEvents

export interface FollowOptions<T extends AnyType = AnyType> extends CallOptions {
  /** These types alone; all by default. */
  types?: readonly T[] | undefined
  /** Goes on behind the event of this id, the last that an earlier run was done with; null: behind none. */
  after?: string | null | undefined
  /** Begins with what was created at this time; by default what is there already is left out. */
  since?: Date | undefined
  /** Called where a call failed and is tried again, after `waitMs`. */
  onRetry?: ((error: ReelgateError, waitMs: number) => void) | undefined
}

/** The read that following needs. */
export interface EventReader {
  list: (query: Query<'listEvents'>, options: CallOptions) => Promise<EventList>
}

/**
 * Each event of the account once, oldest first, in the order of the list: the next page is asked for
 * when the loop has taken the one before. Waits with long polls, at most 10,000 requests a day. What
 * passes, an outage or 429, only makes the wait longer; other refusals are thrown as ReelgateError.
 */
export async function* followEvents<T extends AnyType = AnyType>(
  events: EventReader,
  timeoutMs: number,
  options: FollowOptions<T> = {},
): AsyncGenerator<WebhookEvents[T], void, undefined> {
  const { since } = options
  const types: readonly AnyType[] | undefined = options.types
  const isWanted = (event: WebhookEvent): event is WebhookEvents[T] =>
    (!types || types.includes(event.type)) && !(since && Date.parse(event.created_at) < +since)
  const read = createPatientReader(events, timeoutMs, options)
  const { after } = options
  const behind = after === undefined ? await lastBefore(read, since) : after
  let fresh = behind === null ? [await firstOfAll(read)] : []
  let cursor = behind ?? ''
  for (;;) {
    for (const event of fresh) {
      cursor = event.id
      if (isWanted(event)) yield event
    }
    const { data } = await read.next({ ending_before: cursor })
    fresh = [...data].reverse()
  }
}

/** The id of the newest event that is not asked for; null where there is none. */
async function lastBefore(read: PatientReader, since: Date | undefined): Promise<string | null> {
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

/** The oldest event that the account has; waits for one. */
async function firstOfAll(read: PatientReader): Promise<WebhookEvent> {
  let page = await read.next({})
  for (;;) {
    const last = page.data.at(-1)
    if (last && !page.has_more) return last
    page = last ? await read.page({ starting_after: last.id }) : await read.next({})
  }
}

type Read = (query: Query<'listEvents'>) => Promise<EventList>

interface PatientReader {
  page: Read
  /** Waits for a page that is not empty; may be empty all the same. */
  next: Read
}

function createPatientReader(
  events: EventReader,
  timeoutMs: number,
  { types, signal = new AbortController().signal, onRetry }: FollowOptions,
): PatientReader {
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
        // Whatever this is, it is not the API.
        if (error.code === 'invalid_response') throw error
        const waitMs = Math.max(retryMs, (error.retryAfterSeconds ?? 0) * 1000)
        onRetry?.(error, waitMs)
        await sleep(waitMs, signal)
      }
    }
  }
  const seconds = Math.floor(timeoutMs / 1000) - TRY_MARGIN_SECONDS
  const wait_seconds = Math.max(0, Math.min(WAIT_MAX_SECONDS, seconds))
  const next: Read = async (query) => {
    const startedAtMs = Date.now()
    const found = await page({ ...query, wait_seconds })
    const tookMs = Date.now() - startedAtMs
    if (found.data.length === 0 && tookMs < UNWELCOME_PAUSE_MS)
      await sleep(UNWELCOME_PAUSE_MS - tookMs, signal)
    return found
  }
  return { page, next }
}
