import type { EncodeKind } from './encode-history.ts'
import { sharesOf } from './share-core.ts'

/** An encode that waits in its queue. */
export interface WaitingEncode {
  kind: EncodeKind
  queue: string
  /** What it takes alone on a core. */
  coreSeconds: number
}

interface Running {
  kind: EncodeKind
  secondsLeft: number
}

/**
 * Returns the seconds until all encodes are done, by workers with one core and one slot for each queue
 * (`ENCODE_SLOTS=1`). A free slot takes the next encode of its queue; encodes on one core share it by their niceness.
 */
export function simulateEncodes(encodes: readonly WaitingEncode[], workers: number): number {
  const queues = [...new Set(encodes.map(({ queue }) => queue))].map((queue) =>
    encodes.filter((one) => one.queue === queue).values(),
  )
  const cores = Array.from({ length: workers }, () => queues.map((): Running | null => null))
  let seconds = 0
  for (;;) {
    fillSlots(cores, queues)
    const step = nextEnd(cores)
    if (step === null) return seconds
    for (const core of cores) advance(core, step)
    seconds += step
  }
}

type Core = (Running | null)[]

function fillSlots(cores: Core[], queues: Iterator<WaitingEncode>[]): void {
  for (const core of cores)
    for (const [slot, queue] of queues.entries()) {
      if (core[slot]) continue
      const next = queue.next()
      core[slot] = next.done ? null : { kind: next.value.kind, secondsLeft: next.value.coreSeconds }
    }
}

const runningOn = (core: Core): Running[] => core.filter((one) => one !== null)

/** Returns the seconds until the next encode ends; null if none runs. */
function nextEnd(cores: Core[]): number | null {
  const ends = cores.flatMap((core) => {
    const running = runningOn(core)
    const shares = sharesOf(running.map(({ kind }) => kind))
    return running.map(({ secondsLeft }, at) => secondsLeft / (shares[at] ?? 1))
  })
  return ends.length === 0 ? null : Math.min(...ends)
}

/** Less is an error of rounding. */
const DONE_SECONDS = 1e-9

function advance(core: Core, seconds: number): void {
  const running = runningOn(core)
  const shares = sharesOf(running.map(({ kind }) => kind))
  for (const [at, one] of running.entries()) {
    one.secondsLeft -= seconds * (shares[at] ?? 0)
    if (one.secondsLeft < DONE_SECONDS) core[core.indexOf(one)] = null
  }
}
