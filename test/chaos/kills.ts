import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningService } from '../fixtures/running-service.ts'
import { waitFor } from '../infrastructure/wait-for.ts'
import { createRandom } from './random.ts'

const VICTIMS = {
  worker: /worker\.ts/,
  api: /api\/server\.ts/,
  temporal: /temporal server start-dev/,
}

export type Victim = keyof typeof VICTIMS

/** How often each process is killed. */
export type KillTimes = Partial<Record<Victim, number>>

export interface Kill {
  victim: Victim
  atMs: number
}

/** The time of a kill: milliseconds after this share of the work has begun. */
interface Moment {
  victim: Victim
  share: number
  delayMs: number
}

const DELAY_MAX_MS = 400
/** No kill before the first work or after the last. */
const [FROM, TO] = [0.02, 0.85]

/** Returns the times of all kills for a seed, with the requested number for each process. */
function planKills(seed: number, times: KillTimes): Moment[] {
  const random = createRandom(seed, 'kills')
  const moments = (Object.keys(VICTIMS) as Victim[]).flatMap((victim) =>
    Array.from({ length: times[victim] ?? 0 }, () => ({
      victim,
      share: FROM + random.next() * (TO - FROM),
      delayMs: random.int(DELAY_MAX_MS),
    })),
  )
  return moments.toSorted((a, b) => a.share - b.share)
}

interface KillerOptions {
  times: KillTimes
  /** The share of the work (0 to 1) that concerns this process and was begun. */
  progressOf: (victim: Victim) => number
  /** True when no work is left that a kill could interrupt. */
  isOver: () => boolean
}

/** Kills each process (-9) at its planned shares of its work and adds to `kills`. Resolves after the last kill. */
export async function killAtMoments(
  { seed, service }: { seed: number; service: RunningService },
  kills: Kill[],
  { times, progressOf, isOver }: KillerOptions,
): Promise<void> {
  const moments = planKills(seed, times)
  const killOne = async (victim: Victim): Promise<void> => {
    for (const { share, delayMs } of moments.filter((moment) => moment.victim === victim)) {
      while (progressOf(victim) < share && !isOver()) await sleep(20)
      if (isOver()) return
      await sleep(delayMs)
      await waitFor(`the ${victim} to be back`, () => service.findChild(VICTIMS[victim]))
      await service.killChild(VICTIMS[victim])
      kills.push({ victim, atMs: Date.now() })
    }
  }
  await Promise.all((Object.keys(VICTIMS) as Victim[]).map(killOne))
}
