import type { Client } from '@temporalio/client'
import type { Logger } from 'pino'
import type { Database } from '../db/database.ts'
import {
  deleteRequests,
  postponeRequest,
  releaseRequests,
  type ClaimedRequest,
} from '../db/outbox/write-workflow-requests.ts'
import { executeRequest, type RequestTargets } from './execute-request.ts'

const REQUEST_DEADLINE_MS = 5_000
const UNREACHABLE_RETRY_MS = 1_000
const RETRY_MAX_MS = 60_000
/** A request without a response for so long leaves its place to another: one slow part of Temporal delays only its own requests. */
const SLOW_MS = 1_000
/** The most requests that leave their place, as their rows are leased. */
const SLOW_MAX = 64
/** So many requests in a row must fail before Temporal counts as unreachable. */
const UNREACHABLE_FAILURES = 5

export interface DispatchOptions {
  db: Database
  client: Client
  /** Where workflows of deliveries are now. */
  placesOf: () => RequestTargets['deliveries']
  logger: Logger
  /** The maximum number of requests sent to Temporal at the same time. */
  concurrency: number
  /** Called when a request has left, so that there is room for another. */
  onRoom: () => void
}

/** Sends claimed workflow requests to Temporal, a bounded number at a time, and settles their rows. */
export interface Dispatch {
  add(requests: ClaimedRequest[]): void
  /** The number of added requests that Temporal has not responded to yet, without those that have left their place. */
  size(): number
  /** False after several requests in a row could not reach Temporal, until one reaches it. */
  isReachable(): boolean
  /**
   * Stops sending, and makes the requests that wait due for other relays. Resolves when the requests under way are
   * responded to and their rows settled.
   */
  stop(): Promise<void>
}

export function createDispatch(options: DispatchOptions): Dispatch {
  const { concurrency, onRoom } = options
  const waiting: ClaimedRequest[] = []
  const running = new Set<Promise<void>>()
  const slow = new Set<Promise<void>>()
  const rows = createRowSettler(options)
  const sender = createSender(options, rows)
  const pump = (): void => {
    while (running.size < concurrency) {
      const request = waiting.shift()
      if (!request) return
      start(request)
    }
  }
  const start = (request: ClaimedRequest): void => {
    const leave = (): void => {
      if (slow.size === SLOW_MAX) return
      running.delete(task)
      slow.add(task)
      pump()
      onRoom()
    }
    const timer = setTimeout(leave, SLOW_MS)
    const task = sender.send(request).finally(() => {
      clearTimeout(timer)
      running.delete(task)
      slow.delete(task)
      pump()
      onRoom()
    })
    running.add(task)
  }
  return {
    add(requests) {
      waiting.push(...requests)
      pump()
    },
    size: () => waiting.length + running.size,
    isReachable: sender.isReachable,
    async stop() {
      await rows.release(waiting.splice(0))
      await Promise.all([...running, ...slow])
      await rows.settle()
    },
  }
}

/** Sends single requests, and records whether Temporal is reachable. */
function createSender(
  { client, placesOf, logger }: DispatchOptions,
  rows: ReturnType<typeof createRowSettler>,
) {
  let failures = 0
  const isReachable = () => failures < UNREACHABLE_FAILURES
  const countFailure = (error: unknown): void => {
    failures += 1
    if (failures === UNREACHABLE_FAILURES)
      logger.warn({ err: error }, 'Temporal is unreachable: workflow requests stay in the outbox')
  }
  const countSuccess = (): void => {
    if (!isReachable()) logger.info('Temporal is reachable again')
    failures = 0
  }
  return {
    isReachable,
    async send(request: ClaimedRequest): Promise<void> {
      try {
        await client.withDeadline(Date.now() + REQUEST_DEADLINE_MS, () =>
          executeRequest({ client, deliveries: placesOf() }, request),
        )
        countSuccess()
        rows.done(request.id)
        // Connects the Request-Id with the workflow that continues its work.
        if (request.requestId !== null && request.isWanted)
          logger.info(logFieldsOf(request), 'Temporal accepted a workflow request')
      } catch (error) {
        const isRefusal = !isUnreachable(error)
        if (isRefusal)
          logger.error({ err: error, ...logFieldsOf(request) }, 'a workflow request failed')
        else countFailure(error)
        await rows.postpone(request.id, isReachable() ? retryMs(request) : UNREACHABLE_RETRY_MS)
      }
    },
  }
}

const logFieldsOf = ({ id, command, subjectId, attempts, requestId }: ClaimedRequest) => ({
  outboxId: id,
  command,
  subjectId,
  attempts,
  requestId: requestId ?? undefined,
})

/** Grows, so that a request that fails alone does not take the place of others. */
const retryMs = ({ attempts }: ClaimedRequest): number =>
  Math.min(1_000 * 2 ** Math.min(attempts - 1, 10), RETRY_MAX_MS)

/** gRPC's DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED and UNAVAILABLE. */
const UNREACHABLE_CODES: readonly unknown[] = [4, 8, 14]

/** The client wraps a gRPC error once or twice. */
const CAUSES_MAX = 5

/** Returns whether Temporal is unreachable or overloaded, so that the same request can succeed later. */
function isUnreachable(error: unknown): boolean {
  let cause = error
  for (let depth = 0; depth < CAUSES_MAX; depth += 1) {
    if (typeof cause !== 'object' || cause === null) return false
    if ('code' in cause && UNREACHABLE_CODES.includes(cause.code)) return true
    cause = 'cause' in cause ? cause.cause : null
  }
  return false
}

/** Deletes and postpones rows. Deletes in batches: rows that are done during one delete go with the next. */
function createRowSettler({ db, logger }: DispatchOptions) {
  const doneIds: number[] = []
  let deleting: Promise<void> | null = null
  const deleteAll = async (): Promise<void> => {
    while (doneIds.length > 0) await deleteRequests(db.em.fork(), doneIds.splice(0))
  }
  // If the database is unavailable, the row becomes due after its lease; Temporal ignores the repeated request.
  const warn = (error: unknown) => logger.warn({ err: error }, 'an outbox row was not settled')
  return {
    done(id: number): void {
      doneIds.push(id)
      deleting ??= deleteAll()
        .catch(warn)
        .finally(() => (deleting = null))
    },
    postpone: (id: number, delayMs: number) =>
      postponeRequest(db.em.fork(), id, delayMs).catch(warn),
    release: (requests: ClaimedRequest[]) =>
      releaseRequests(
        db.em.fork(),
        requests.map(({ id }) => id),
      ).catch(warn),
    settle: async () => {
      await deleting
    },
  }
}
