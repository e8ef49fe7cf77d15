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
  /** PostgreSQL cannot be reached, or had no time or no room, or takes no writes; the same call may succeed in a moment. */
  | 'unavailable'
  /** PostgreSQL, or a pooler in front of it, refuses this process until an operator changes a setting. */
  | 'refused'
  /** A fault of the code: a wrong statement, a value of a wrong form, an invalid row. */
  | 'bug'

/** One line of the table below. */
interface FaultClass {
  codes: RegExp
  /** For a code that is used for more than this. */
  message?: RegExp
  fault: DatabaseFault
  /** What is wrong, after "PostgreSQL …": fit for strangers, because it names no host and no user. */
  reason?: string
  /** What an operator does about it. */
  remedy?: string
}

const READ_ONLY_CODE = '25006'
const START_IT = 'start it (npm start has one of its own), or correct DATABASE_URL'
const OVERLOADED = 'is it overloaded, or DATABASE_URL wrong?'
const POOLER = {
  fault: 'refused',
  reason: 'is behind a connection pooler (such as PgBouncer) that does not pass on sessions',
  remedy:
    'set DATABASE_DIRECT_URL to the address of PostgreSQL itself, so that DATABASE_URL may name a pooler; with it, DATABASE_POOLER_STATEMENTS=named needs a pooler that keeps them',
} as const

/** Each class of SQLSTATE (PostgreSQL, appendix A) that is no bug, and codes of Node's sockets; the first match counts. */
const FAULTS: readonly FaultClass[] = [
  // 40002 and 40003 are not among them: PostgreSQL does not raise them.
  { codes: /^40(000|001|P01)$/, fault: 'collision', reason: 'is overloaded' },
  // Two first writes of a playback session met: `on conflict` does not know the key that the first partition has of its own (ADR 0058).
  {
    codes: /^23505$/,
    message: /"playback_session_pkey"/,
    fault: 'collision',
    reason: 'is overloaded',
  },
  { codes: /^23503$/, fault: 'missing_parent' },
  { codes: /^23(505|P01)$/, fault: 'conflict' },
  // A statement that this connection prepared is unknown, or one that it did not prepare exists.
  { codes: /^(42P05|26000)$/, ...POOLER },
  // PostgreSQL has another code for a parameter that it does not know. Poolers have this one for all of their errors.
  { codes: /^08P01$/, message: /startup parameter/i, ...POOLER },
  {
    codes: /^28...$/,
    fault: 'refused',
    reason: 'refuses the access',
    remedy: 'correct the user and the password in DATABASE_URL or DATABASE_PASSWORD',
  },
  {
    codes: /^3D000$/,
    fault: 'refused',
    reason: 'does not have the database',
    remedy: 'create it, or correct its name in DATABASE_URL',
  },
  {
    // Of a standby, or of `default_transaction_read_only`.
    codes: /^25006$/,
    fault: 'unavailable',
    reason: 'is read-only',
    remedy:
      'let DATABASE_URL name the primary, or set its default_transaction_read_only to off; after a failover wait until it ends',
  },
  {
    // PgBouncer, with the code for all of its errors.
    codes: /^08P01$/,
    message: /no such database/i,
    fault: 'refused',
    reason: 'does not have the database',
    remedy: 'add it to the settings of the pooler, or correct its name in DATABASE_URL',
  },
  {
    codes: /^08P01$/,
    message: /no more connections allowed/i,
    fault: 'unavailable',
    reason: 'has no connection left',
    remedy: 'raise max_client_conn of the pooler, or lower DATABASE_POOL_SIZE of the processes',
  },
  {
    codes: /^53300$/,
    fault: 'unavailable',
    reason: 'has no connection left',
    remedy: 'raise its max_connections, or lower DATABASE_POOL_SIZE of the processes',
  },
  {
    codes: /^(53...|58030)$/,
    fault: 'unavailable',
    reason: 'has no disk space or memory left, or its disk fails',
    remedy: 'look at its log, and give it room',
  },
  {
    codes: /^57P03$/,
    fault: 'unavailable',
    reason: 'is starting or stopping',
    remedy: 'wait a moment; its log says what it waits for',
  },
  {
    codes: /^(57014|55P03|25P0[34]|ETIMEDOUT)$/,
    fault: 'unavailable',
    reason: 'does not respond in time',
    remedy: OVERLOADED,
  },
  {
    codes: /^(ENOTFOUND|EAI_AGAIN)$/,
    fault: 'unavailable',
    reason: 'cannot be found by its host name',
    remedy: 'correct DATABASE_URL, or the resolver of this machine',
  },
  {
    codes: /^(08...|57(000|P0[1245])|ECONN\w+|EPIPE|EHOSTUNREACH|ENETUNREACH)$/,
    fault: 'unavailable',
    reason: 'cannot be reached',
    remedy: START_IT,
  },
]

/** Messages of `pg` and its pool that come without a code. */
const MESSAGES: readonly FaultClass[] = [
  {
    codes: /^$/,
    message:
      /^(timeout exceeded when trying to connect|timeout expired|Connection terminated due to connection timeout)/,
    fault: 'unavailable',
    reason: 'does not respond in time',
    remedy: OVERLOADED,
  },
  {
    codes: /^$/,
    message:
      /^(Connection terminated|Client (has encountered a connection error|was closed) and is not queryable)/,
    fault: 'unavailable',
    reason: 'cannot be reached',
    remedy: START_IT,
  },
]

/** Five characters, of which the first two are the class. */
const SQLSTATE = /^[0-9A-Z]{5}$/

const messageOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : ''

function classOf(error: unknown): FaultClass | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const code = codeOf(error)
  return [...FAULTS, ...MESSAGES].find(
    ({ codes, message }) => codes.test(code) && (message?.test(messageOf(error)) ?? true),
  )
}

/** What an error means if it comes from PostgreSQL or the connection to it; null for any other. */
export function databaseFaultOf(error: unknown): DatabaseFault | null {
  const known = classOf(error)
  if (known) return known.fault
  const isOfServer = typeof error === 'object' && error !== null && 'severity' in error
  return isOfServer && SQLSTATE.test(codeOf(error)) ? 'bug' : null
}

/** True if the same call may succeed later: PostgreSQL cannot serve it now, or transactions kept colliding. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const fault = databaseFaultOf(error)
  return fault === 'unavailable' || fault === 'refused' || fault === 'collision'
}

/** What is wrong with PostgreSQL, after "PostgreSQL …" and fit for strangers; null for errors that are not about it. */
export const databaseReasonOf = (error: unknown): string | null => classOf(error)?.reason ?? null

/** One line for operators: what is wrong, what to do, and the words of PostgreSQL; null for errors that are not about it. */
export function describeDatabaseError(error: unknown): string | null {
  const { reason, remedy = START_IT } = classOf(error) ?? {}
  if (reason === undefined) return null
  const [words] = messageOf(error).trim().split('\n')
  return `PostgreSQL ${reason}: ${remedy}${words ? ` (${words})` : ''}`
}

/** Empty without one; errors of MikroORM have the field in any case. */
function codeOf(error: unknown): string {
  const hasCode = typeof error === 'object' && error !== null && 'code' in error
  return hasCode && typeof error.code === 'string' ? error.code : ''
}

/** True if a statement did not get its lock within `lock_timeout`, or PostgreSQL ended it because of a deadlock. */
export const isLockFailure = (error: unknown): boolean => /^(55P03|40P01)$/.test(codeOf(error))

const VIOLATION_CODES = {
  foreignKey: '23503',
  unique: '23505',
  check: '23514',
  exclusion: '23P01',
} as const

export type ViolationKind = keyof typeof VIOLATION_CODES

/** True if PostgreSQL refused a write because of a constraint of this kind. */
export const isViolation = (error: unknown, kind: ViolationKind): boolean =>
  codeOf(error) === VIOLATION_CODES[kind]

/** True if PostgreSQL cancelled a statement that took longer than its process allows. */
export const isStatementTimeout = (error: unknown): boolean => codeOf(error) === '57014'

/** The connection, or its server, takes no writes. */
export class ReadOnlyError extends Error {
  override name = 'ReadOnlyError'
  readonly code = READ_ONLY_CODE
  constructor() {
    super('PostgreSQL takes no writes on this connection')
  }
}

/** True if PostgreSQL refused a write because the connection, or its server, is read-only. */
export const isReadOnly = (error: unknown): boolean => codeOf(error) === READ_ONLY_CODE
