import { cpus } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

/** The shares of all cores, from 0 to 1, that worked just before a group of figures, and while it was measured. */
export interface MachineLoad {
  before: number
  during: number
}

const WATCHED_MS = 2_000

/** Runs `work` and measures how busy the machine is: work of others before it makes its figures doubtful. */
export async function withMachineLoad<T>(
  work: () => Promise<T>,
): Promise<{ result: T; load: MachineLoad; seconds: number }> {
  const idle = readTimes()
  await sleep(WATCHED_MS)
  const start = readTimes()
  const startedAt = performance.now()
  const result = await work()
  const load = { before: busyShare(idle, start), during: busyShare(start, readTimes()) }
  return { result, load, seconds: (performance.now() - startedAt) / 1000 }
}

interface Times {
  busy: number
  all: number
}

const readTimes = (): Times =>
  cpus().reduce(
    (sum, { times }) => {
      const all = Object.values(times).reduce((total, time) => total + time, 0)
      return { busy: sum.busy + all - times.idle, all: sum.all + all }
    },
    { busy: 0, all: 0 },
  )

const busyShare = (from: Times, to: Times): number => (to.busy - from.busy) / (to.all - from.all)
