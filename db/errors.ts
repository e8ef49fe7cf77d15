import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'

/** What an error of PostgreSQL, or of the connection to it, means. */
export type DatabaseFault =
  /** The transaction met another one and was rolled back; it is repeated (`db/repeating-entity-manager.ts`). */
  | 'collision'
  /**
   * A row that a write refers to does not exist. It may have been deleted after the transaction had read it, so the
   * transaction is repeated: it then finds no row, and refuses.
   */
  | 'missing_parent'
  /** The write contradicts a row that exists. The command knows which refusal that is (`refuseViolation`). */
  | 'conflict'
  /** PostgreSQL cannot be reached, or had no time or no room; the same call may succeed in a moment. */
  | 'unavailable'
  /** A fault of the code: a wrong statement, a value of a wrong form, an invalid row. */
  | 'bug'

/** Each class of SQLSTATE (PostgreSQL, appendix A) that is no bug, and codes of Node's sockets; the first match counts. */
const FAULTS: readonly (readonly [RegExp, DatabaseFault])[] = [
  [/^40(001|P01)$/, 'collision'],
  [/^23503$/, 'missing_parent'],
  [/^23(505|P01)$/, 'conflict'],
  // The connection; the resources of the server, its connections among them; its end and its start; a limit of time.
  [/^(08|53)...$/, 'unavailable'],
  [/^57(014|P0[1-5])$/, 'unavailable'],
  [/^(55P03|25P0[34])$/, 'unavailable'],
  // A server that became a standby, and faults of the disk below it.
  [/^(25006|58030)$/, 'unavailable'],
  [/^(ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/, 'unavailable'],
]

/** Messages of `pg` and its pool that come without a code. */
const UNAVAILABLE_MESSAGES =
  /^(timeout exceeded when trying to connect|timeout expired|Connection terminated|Client (has encountered a connection error|was closed) and is not queryable)/

/** Five characters, of which the first two are the class. */
const SQLSTATE = /^[0-9A-Z]{5}$/

/** What an error means if it comes from PostgreSQL or the connection to it; null for any other. */
export function databaseFaultOf(error: unknown): DatabaseFault | null {
  if (typeof error !== 'object' || error === null) return null
  const code = String(codeOf(error))
  for (const [codes, fault] of FAULTS) if (codes.test(code)) return fault
  const message = 'message' in error ? String(error.message) : ''
  if (UNAVAILABLE_MESSAGES.test(message)) return 'unavailable'
  return SQLSTATE.test(code) && 'severity' in error ? 'bug' : null
}

/** True if the same call may succeed in a moment: PostgreSQL did not answer in time, or transactions kept colliding. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const fault = databaseFaultOf(error)
  return fault === 'unavailable' || fault === 'collision'
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

/** True if a statement did not get its lock within `lock_timeout`, or PostgreSQL ended it because of a deadlock. */
export const isLockFailure = (error: unknown): boolean =>
  /^(55P03|40P01)$/.test(String(codeOf(error)))

const VIOLATION_CODES = { foreignKey: '23503', unique: '23505', exclusion: '23P01' } as const

export type ViolationKind = keyof typeof VIOLATION_CODES

/** True if PostgreSQL refused a write because of a constraint of this kind. */
export const isViolation = (error: unknown, kind: ViolationKind): boolean =>
  codeOf(error) === VIOLATION_CODES[kind]
