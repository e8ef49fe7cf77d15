import { findMasterKeyHolders } from '../db/secrets/master-key-holders.ts'
import { describeOffset, OWN_CLOCK_TOLERANCE_MS } from '../processes/own-clock.ts'
import { Advice } from './advice.ts'
import type { Installation } from './installation.ts'
import { checkClocks, CLOCK_TOLERANCE_MS } from './services.ts'

/** Checks the clocks of all running processes, which they compare with the database's, then those that this machine reads. */
export async function checkAllClocks(installation: Installation): Promise<string> {
  const processes = await findMasterKeyHolders(await installation.entityManager())
  const off = processes.filter(
    ({ clockOffsetMs }) => Math.abs(clockOffsetMs ?? 0) > CLOCK_TOLERANCE_MS,
  )
  if (off.length > 0) throw new Advice(wordsOf(off, off.length === processes.length))
  return checkClocks(installation)
}

function wordsOf(
  off: { process: string; clockOffsetMs: number | null }[],
  areAll: boolean,
): string {
  const named = off.map(
    ({ process: name, clockOffsetMs: ms }) => `the clock of ${name} is ${describeOffset(ms ?? 0)}`,
  )
  const cause = areAll && off.length > 1 ? ', as are all others: it may be the database’s' : ''
  return (
    `${named.join('; ')}${cause}: set it by NTP. ` +
    `A process that is more than ${OWN_CLOCK_TOLERANCE_MS / 1000} s off is not ready, and such a worker takes no work`
  )
}
