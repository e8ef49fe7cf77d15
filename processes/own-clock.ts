import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { EntityManager } from '../db/database.ts'
import { readDatabaseClock } from '../db/upkeep/health.ts'
import { clockOffset } from '../metrics/process.ts'
import { NotReadyError } from './readiness-error.ts'

/** A process whose clock is further off is not ready (ADR 0053). Receivers refuse signatures from 300 s on. */
export const OWN_CLOCK_TOLERANCE_MS = 30_000
const LOOK_MS = 1_000

/** How far the clock of this process is ahead of the database's, at least; negative if it is behind. */
let offsetMs = 0

/** Compares the clock of this process with the database's, for its readiness and its metric. Resolves to the offset in ms. */
export async function compareOwnClock(em: EntityManager): Promise<number> {
  const beforeMs = Date.now()
  const databaseMs = await readDatabaseClock(em)
  // The database read its clock between the two times, however long the response took.
  offsetMs = beforeMs > databaseMs ? beforeMs - databaseMs : Math.min(0, Date.now() - databaseMs)
  clockOffset.set(offsetMs / 1000)
  return offsetMs
}

/** Describes an offset: `3599 s ahead of the database's`. */
export const describeOffset = (ms: number): string =>
  `${Math.round(Math.abs(ms) / 1000)} s ${ms > 0 ? 'ahead of' : 'behind'} the database's`

/** Whether the clock of this process was too far off when it was last compared. */
const isOwnClockOff = (): boolean => Math.abs(offsetMs) > OWN_CLOCK_TOLERANCE_MS

/** The part `clock` of the readiness. Rejects with a NotReadyError while the clock is too far off. */
export async function checkOwnClock(): Promise<void> {
  if (isOwnClockOff()) throw new NotReadyError(`is ${describeOffset(offsetMs)}`)
}

const warnOf = (logger: Logger, words: string): void =>
  logger.error({ offsetMs }, `the clock is ${describeOffset(offsetMs)}: ${words}`)

/** Resolves when the clock is in step, or when `signal` aborts. */
export async function awaitOwnClock(
  openEm: () => EntityManager,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  let isTold = false
  while (!signal.aborted) {
    // A database that is away is waited for by what needs it.
    await compareOwnClock(openEm()).catch(() => {})
    if (!isOwnClockOff()) return
    if (!isTold) warnOf(logger, 'no work is taken until it is set right, as by NTP')
    isTold = true
    await sleep(LOOK_MS, undefined, { signal }).catch(() => {})
  }
}

/** Calls `stop` once if the clock is found too far off. Returns a function that ends the watch. */
export function watchOwnClock(logger: Logger, stop: () => void): () => void {
  const timer = setInterval(() => {
    if (!isOwnClockOff()) return
    clearInterval(timer)
    warnOf(logger, 'the process ends, and takes work again when it is set right, as by NTP')
    stop()
  }, LOOK_MS)
  return () => clearInterval(timer)
}
