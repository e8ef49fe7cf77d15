import { readFileSync } from 'node:fs'
import { descendantsOf } from '../test/infrastructure/processes.ts'

/** Returns the resident memory of a process and its children, in MiB. */
export const memoryMib = (pid: number): number =>
  [pid, ...descendantsOf(pid)].reduce((sum, one) => sum + residentKib(one), 0) / 1024

function residentKib(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  } catch {
    // It has ended in the meantime.
    return 0
  }
}
