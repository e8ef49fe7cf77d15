import type { EncodeKind } from './encode-history.ts'
import { sharesOf } from './share-core.ts'

/** An encode that waits in its queue. */
export interface WaitingEncode {
  kind: EncodeKind
  queue: string
  /** What it takes alone on a core. */
  coreSeconds: number
}

/** What all workers share, and what limits them together. */
export interface SharedLimits {
  /** How many workflows of videos the relays start in a second. */
  startsPerSecond: number
  /** How many commits PostgreSQL writes in a second for encodes. */
  commitsPerSecond: number
  /** How many commits an encode needs to end: its progress and its record. */
  commitsPerEncode: number
}

const NO_LIMITS: SharedLimits = {
  startsPerSecond: Infinity,
  commitsPerSecond: Infinity,
  commitsPerEncode: 0,
}

interface Running {
  kind: EncodeKind
  secondsLeft: number
  /** When its commits are written; null while it encodes. */
  recordedAt: number | null
}

/** What a core runs, one place for each queue. */
type Core = (Running | null)[]

/**
 * Returns the seconds until all encodes of all videos are done, by workers with one core and one slot for each queue
 * (`ENCODE_SLOTS=1`). A free slot takes the next encode of its queue; encodes on one core share it by their niceness. The
 * encodes of a video wait until a relay has started its workflow, and an encode keeps its slot until its commits are written, one
 * encode after another.
 */
export function simulateEncodes(
  videos: readonly (readonly WaitingEncode[])[],
  workers: number,
  limits: SharedLimits = NO_LIMITS,
): number {
  const arriving = videos.flatMap((encodes, index) =>
    encodes.map((encode) => ({ ...encode, from: index / limits.startsPerSecond })),
  )
  const queues = [...Map.groupBy(arriving, ({ queue }) => queue).values()]
  const nextOf = queues.map(() => 0)
  const cores = Array.from({ length: workers }, () => queues.map((): Running | null => null))
  const record = createRecorder(limits)
  for (let now = 0; ;) {
    for (const core of cores)
      for (const [place, queue] of queues.entries()) {
        const next = queue[nextOf[place] ?? 0]
        if (core[place] || !next || next.from > now) continue
        core[place] = { kind: next.kind, secondsLeft: next.coreSeconds, recordedAt: null }
        nextOf[place] = (nextOf[place] ?? 0) + 1
      }
    const arrivals = queues.map((queue, place) => queue[nextOf[place] ?? 0]?.from ?? Infinity)
    const until = Math.min(nextEnd(cores, now), ...arrivals.filter((from) => from > now))
    if (until === Infinity) return now
    for (const core of cores) advance(core, { now, until, record })
    now = until
  }
}

/** Returns when the commits of an encode that ends now are written. */
type Record = (now: number) => number

function createRecorder({ commitsPerSecond, commitsPerEncode }: SharedLimits): Record {
  let busyUntil = 0
  return (now) => {
    busyUntil = Math.max(now, busyUntil) + commitsPerEncode / commitsPerSecond
    return busyUntil
  }
}

const encodingOn = (core: Core): Running[] =>
  core.flatMap((one) => (one?.recordedAt === null ? [one] : []))

/** Returns when the next encode ends or is recorded; Infinity if none runs. */
function nextEnd(cores: Core[], now: number): number {
  let next = Infinity
  for (const core of cores) {
    const encoding = encodingOn(core)
    const shares = sharesOf(encoding.map(({ kind }) => kind))
    for (const [at, { secondsLeft }] of encoding.entries())
      next = Math.min(next, now + secondsLeft / (shares[at] ?? 1))
    for (const one of core) if (one) next = Math.min(next, one.recordedAt ?? Infinity)
  }
  return next
}

/** Less is an error of rounding. */
const DONE_SECONDS = 1e-9

function advance(
  core: Core,
  { now, until, record }: { now: number; until: number; record: Record },
): void {
  const encoding = encodingOn(core)
  const shares = sharesOf(encoding.map(({ kind }) => kind))
  for (const [at, one] of encoding.entries()) {
    one.secondsLeft -= (until - now) * (shares[at] ?? 0)
    if (one.secondsLeft < DONE_SECONDS) one.recordedAt = record(until)
  }
  for (const [place, one] of core.entries())
    if (one && (one.recordedAt ?? Infinity) <= until) core[place] = null
}
