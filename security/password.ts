import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import pLimit from 'p-limit'

/** The costs of a hash. OWASP's password storage cheat sheet recommends these for argon2id. */
interface Costs {
  memory: number
  passes: number
  parallelism: number
}

const COSTS: Costs = { memory: 19_456, passes: 2, parallelism: 1 }
const SALT_BYTES = 16
const TAG_BYTES = 32

const derive = promisify(argon2)

/** Each hash takes 19 MiB and a core, so more of them would delay all other requests of the process. */
const RUNNING_MAX = 2
/** Hashes that run or wait. More of them would delay every sign-in of the process for seconds. */
export const HASHES_MAX = RUNNING_MAX + 32

const inTurn = pLimit(RUNNING_MAX)

/** So many passwords are being hashed that another one would wait too long. */
export class HashesBusy extends Error {
  override name = 'HashesBusy'
}

/** Throws `HashesBusy` if no more passwords can be hashed now. */
export function requireTurn(): void {
  if (inTurn.activeCount + inTurn.pendingCount >= HASHES_MAX)
    throw new HashesBusy('too many passwords are being hashed')
}

/**
 * Hashes a password with argon2id. Returns a PHC string: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. Throws
 * `HashesBusy`.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const tag = await hash(password, salt, COSTS)
  const { memory, passes, parallelism } = COSTS
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${phcBase64(salt)}$${phcBase64(tag)}`
}

/**
 * Compares a password with a stored PHC string. For null, the hash of an unknown member, it takes as long
 * and returns false, so that the time of a response does not show which addresses exist. Throws `HashesBusy`.
 */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const parsed = stored === null ? null : parse(stored)
  const { salt, tag, costs } = parsed ?? UNKNOWN
  const actual = await hash(password, salt, costs)
  return parsed !== null && timingSafeEqual(actual, tag)
}

interface Parsed {
  salt: Buffer
  tag: Buffer
  costs: Costs
}

const UNKNOWN: Parsed = {
  salt: Buffer.alloc(SALT_BYTES),
  tag: Buffer.alloc(TAG_BYTES),
  costs: COSTS,
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]{22})\$([\w+/]{43})$/

function parse(stored: string): Parsed | null {
  const [, memory, passes, parallelism, salt, tag] = PHC.exec(stored) ?? []
  if (salt === undefined || tag === undefined) return null
  return {
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
    costs: {
      memory: Number(memory),
      passes: Number(passes),
      parallelism: Number(parallelism),
    },
  }
}

function hash(password: string, nonce: Buffer, costs: Costs): Promise<Buffer> {
  requireTurn()
  // One form for a password that is typed on different keyboards (RFC 8265, section 4.2).
  const message = password.normalize('NFC')
  return inTurn(() => derive('argon2id', { ...costs, message, nonce, tagLength: TAG_BYTES }))
}

const phcBase64 = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '')
