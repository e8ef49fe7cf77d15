import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'

/** Codes of Node's sockets and of PostgreSQL for a refused, lost, late, starting, stopping or full server. */
const UNAVAILABLE_CODES =
  /^(ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|08...|57014|57P0[123]|53300|25P03)$/
/** Messages of `pg` and its pool that come without a code. */
const UNAVAILABLE_MESSAGES =
  /^(timeout exceeded when trying to connect|timeout expired|Connection terminated|Client (has encountered a connection error|was closed) and is not queryable)/

/** True if PostgreSQL did not answer, or not in time. The same call may succeed in a moment. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const message = 'message' in error ? String(error.message) : ''
  return UNAVAILABLE_CODES.test(String(codeOf(error))) || UNAVAILABLE_MESSAGES.test(message)
}

const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined

const RETRY_MS = 1_000

/**
 * Runs a check of a process that starts, and repeats it each second while PostgreSQL cannot be
 * reached. Rejects with any other error of the check.
 */
export async function awaitDatabase<T>(check: () => Promise<T>, logger: Logger): Promise<T> {
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
      logger.warn({ err: error }, 'PostgreSQL cannot be reached yet')
      await sleep(RETRY_MS)
    }
  }
}

const VIOLATION_CODES = { foreignKey: '23503', unique: '23505', exclusion: '23P01' } as const

export type ViolationKind = keyof typeof VIOLATION_CODES

/** True if PostgreSQL refused a write because of a constraint of this kind. */
export const isViolation = (error: unknown, kind: ViolationKind): boolean =>
  codeOf(error) === VIOLATION_CODES[kind]
