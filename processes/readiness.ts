import type { RequestHandler } from 'express'
import type { Logger } from 'pino'
import { z } from 'zod'
import { databaseReasonOf } from '../db/errors.ts'
import { connectionFailureOf } from '../domain/connection-failure.ts'
import { partReady } from '../metrics/process.ts'
import { checkOwnClock } from './own-clock.ts'
import { NotReadyError } from './readiness-error.ts'
import { NoResponseError, within } from './within.ts'

/** What a process needs, by name: each rejects if its part does not respond. */
export type ReadinessChecks = Readonly<Record<string, () => Promise<unknown>>>

/** Whether a process can do its work. `parts` has the reason of each part that is missing. */
export interface Readiness {
  status: 'ok' | 'unavailable'
  parts: Record<string, PartState>
}

type PartState = { status: 'ok' } | { status: 'unavailable'; reason: string }

export interface ReadinessOptions {
  /** Receives the errors behind the reasons. */
  logger: Logger
  /** How long each part has to respond; 3 s by default, so that the whole stays under five. */
  deadlineMs?: number
  /** How long a result counts; a second by default, because strangers may ask too. */
  keptMs?: number
}

const DEADLINE_MS = 3_000
const KEPT_MS = 1_000
/** `Retry-After` of a process that is not ready. */
export const RETRY_AFTER_SECONDS = 5

/**
 * Reports whether everything responds that a process needs, and whether its clock is right: 200, or 503 with Retry-After, with the state of each part.
 * A reason says what kind of failure it is and no more, because an error may name hosts and users.
 */
export function reportReadiness(
  checks: ReadinessChecks,
  options: ReadinessOptions,
): RequestHandler {
  const read = createReadiness({ ...checks, clock: checkOwnClock }, options)
  return async (_request, response) => {
    const readiness = await read()
    response.set('Cache-Control', 'no-store')
    if (readiness.status !== 'ok')
      response.status(503).set('Retry-After', String(RETRY_AFTER_SECONDS))
    response.json(readiness)
  }
}

/** Returns a function that runs all checks at the same time. Calls within `keptMs` share their results. */
function createReadiness(
  checks: ReadinessChecks,
  { logger, deadlineMs = DEADLINE_MS, keptMs = KEPT_MS }: ReadinessOptions,
): () => Promise<Readiness> {
  let last: { atMs: number; readiness: Promise<Readiness> } | null = null
  return () => {
    if (last === null || performance.now() - last.atMs > keptMs)
      last = { atMs: performance.now(), readiness: runChecks(checks, deadlineMs, logger) }
    return last.readiness
  }
}

async function runChecks(
  checks: ReadinessChecks,
  deadlineMs: number,
  logger: Logger,
): Promise<Readiness> {
  const run = async ([part, check]: [string, () => Promise<unknown>]): Promise<
    [string, PartState]
  > => {
    try {
      await within(deadlineMs, check())
      partReady.set({ part }, 1)
      return [part, { status: 'ok' }]
    } catch (error) {
      partReady.set({ part }, 0)
      const reason = reasonOf(error)
      logger.warn({ err: error, part, reason }, 'not ready')
      return [part, { status: 'unavailable', reason }]
    }
  }
  const parts = Object.fromEntries(await Promise.all(Object.entries(checks).map(run)))
  const isReady = Object.values(parts).every(({ status }) => status === 'ok')
  return { status: isReady ? 'ok' : 'unavailable', parts }
}

/** What the codes of Node, S3 and gRPC mean to an operator; `db/errors.ts` has those of PostgreSQL and of sockets. */
const REASONS: readonly [codes: RegExp, reason: string][] = [
  [/^14$/, 'cannot be reached'],
  [/^(AccessDenied|InvalidAccessKeyId|SignatureDoesNotMatch|7|16)$/, 'refuses the access'],
  [/^(EACCES|EPERM)$/, 'its folder must not be read'],
  [/^(ENOENT|ENOTDIR|NoSuchBucket|5)$/, 'does not exist'],
  [/^(SlowDown|8)$/, 'is overloaded'],
]

/** The codes of gRPC are numbers. */
const faultSchema = z.object({ code: z.coerce.string().catch('') })

/** Says what kind of failure an error is and no more. */
export function reasonOf(error: unknown): string {
  if (error instanceof NotReadyError) return error.message
  if (error instanceof NoResponseError) return 'does not respond in time'
  const { code } = faultSchema.parse(Object(error))
  return (
    databaseReasonOf(error) ??
    REASONS.find(([codes]) => codes.test(code))?.[1] ??
    connectionFailureOf(error)?.what ??
    'failed'
  )
}
