import { createRandom, type Random } from '../random.ts'

/** Faults that end a process at once. The relay is a part of the worker. */
export const KILLS = [
  'kill-worker',
  'kill-api',
  'kill-player',
  'kill-temporal',
  'kill-postgres',
] as const

/** Faults that last: a part is frozen, slow, full or away, then well again. */
export const FAILURES = [
  'freeze-worker',
  'freeze-api',
  'freeze-player',
  'freeze-temporal',
  'freeze-postgres',
  'storage-slow',
  'storage-503',
  'storage-away',
  'storage-hung',
  'disk-full',
  'dns-away',
  'clock-step',
  'temporal-cut',
  'freeze-in-upload',
] as const

export type FaultKind = (typeof KILLS)[number] | (typeof FAILURES)[number]

export interface PlannedFault {
  kind: FaultKind
  /** After the load has begun. */
  atMs: number
  /** 0 for a kill. */
  lastsMs: number
}

interface PlanOptions {
  seed: number
  faults: number
  /** All faults begin and end within this time. */
  withinMs: number
}

const LASTS_MIN_MS = 300
const LASTS_MAX_MS = 3_000

/**
 * Returns the faults of a run in the order of their beginnings. Each kind occurs equally often, plus or
 * minus one. Faults of different kinds overlap; those of one kind do not begin before the last has ended.
 * Throws when so many faults of one kind do not fit into the time.
 */
export function planFaults({ seed, faults, withinMs }: PlanOptions): PlannedFault[] {
  const kinds = shuffled([...KILLS, ...FAILURES], createRandom(seed, 'kinds'))
  const plan = kinds.flatMap((kind, position) => {
    const count = Math.floor(faults / kinds.length) + Number(position < faults % kinds.length)
    return planKind(kind, count, withinMs, createRandom(seed, kind))
  })
  return plan.toSorted((a, b) => a.atMs - b.atMs)
}

/** Gives each fault a slot of equal length, and places it at random in the slot. */
function planKind(kind: FaultKind, count: number, withinMs: number, random: Random) {
  const slotMs = Math.floor(withinMs / count)
  if (count > 0 && slotMs < LASTS_MIN_MS)
    throw new Error(`${count} faults of the kind ${kind} do not fit into ${withinMs} ms`)
  const longestMs = Math.min(LASTS_MAX_MS, slotMs)
  return Array.from({ length: count }, (_, slot): PlannedFault => {
    const drawnMs = LASTS_MIN_MS + random.int(longestMs - LASTS_MIN_MS + 1)
    const lastsMs = isKill(kind) ? 0 : drawnMs
    return { kind, atMs: slot * slotMs + random.int(slotMs - lastsMs + 1), lastsMs }
  })
}

export const isKill = (kind: FaultKind): boolean => KILLS.some((kill) => kill === kind)

function shuffled<T>(values: readonly T[], random: Random): T[] {
  return values
    .map((value) => ({ value, place: random.next() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ value }) => value)
}
