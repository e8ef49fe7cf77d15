import { rm, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '../random.ts'
import { isKill, type FaultKind, type PlannedFault } from './fault-plan.ts'
import { freezeInUpload } from './freeze-in-upload.ts'
import type { S3Trouble } from './s3-proxy.ts'
import type { PartName, World } from './world.ts'

/** Ends a failure; null for a kill. */
type End = (() => unknown) | null
/** Begins a fault. Resolves to undefined if its part does not run at the moment. */
type Begin = (world: World, drawn: number) => Promise<End | undefined>

const kill =
  (part: PartName): Begin =>
  async ({ parts }) =>
    parts[part].kill() ? null : undefined

const freeze =
  (part: PartName): Begin =>
  async ({ parts }) =>
    parts[part].freeze() ?? undefined

const storage =
  (trouble: S3Trouble): Begin =>
  async ({ s3 }) => {
    s3.become(trouble)
    return () => s3.become(null)
  }

/** Less than the quarter of an hour after which S3 refuses a signature. */
const STEP_MAX_MS = 10 * 60_000

const BEGIN: Record<FaultKind, Begin> = {
  'kill-worker': kill('worker'),
  'kill-api': kill('api'),
  'kill-player': kill('player'),
  'kill-temporal': kill('temporal'),
  'kill-postgres': kill('postgres'),
  'freeze-worker': freeze('worker'),
  'freeze-api': freeze('api'),
  'freeze-player': freeze('player'),
  'freeze-temporal': freeze('temporal'),
  'freeze-postgres': freeze('postgres'),
  'storage-slow': storage('slow'),
  'storage-503': storage('503'),
  'storage-away': storage('away'),
  'storage-hung': storage('hung'),
  'disk-full': async ({ scratch }) => {
    await scratch.fill?.()
    return scratch.free
  },
  'dns-away': async ({ integrator }) => {
    integrator.setDns(true)
    return () => integrator.setDns(false)
  },
  'clock-step': async ({ clockFile }, drawn) => {
    await writeFile(clockFile, String(Math.round((drawn * 2 - 1) * STEP_MAX_MS)))
    return () => rm(clockFile)
  },
  'temporal-cut': async ({ temporalProxy }, drawn) => {
    // Some connections are silent for the time; others are lost.
    if (drawn < 0.5) {
      temporalProxy.loseConnections()
      return () => {}
    }
    temporalProxy.fallSilent()
    return () => temporalProxy.speak()
  },
  'freeze-in-upload': freezeInUpload,
}

/** What happened, as opposed to what was planned. */
export interface Faults {
  kills: number
  failures: number
  /** Of each kind. */
  counts: Map<FaultKind, number>
  /** Kinds that this machine cannot make. */
  skipped: Set<FaultKind>
}

const LOOK_MS = 50

/** Makes the planned faults, those of one kind one after another. A fault waits until its part runs. Resolves when all have ended. */
export async function makeFaults(
  world: World,
  plan: PlannedFault[],
  seed: number,
  tell: (line: string) => void,
): Promise<Faults> {
  const faults: Faults = { kills: 0, failures: 0, counts: new Map(), skipped: new Set() }
  const startedAt = performance.now()
  const makeKind = async (kind: FaultKind, planned: PlannedFault[]): Promise<void> => {
    if (kind === 'disk-full' && world.scratch.fill === null) {
      faults.skipped.add(kind)
      return tell('disk-full is left out: only root can mount a small file system')
    }
    const random = createRandom(seed, 'faults', kind)
    for (const { atMs, lastsMs } of planned) {
      await sleep(Math.max(0, startedAt + atMs - performance.now()))
      const drawn = random.next()
      let end: End | undefined
      while ((end = await BEGIN[kind](world, drawn)) === undefined) await sleep(LOOK_MS)
      faults.counts.set(kind, (faults.counts.get(kind) ?? 0) + 1)
      if (isKill(kind)) faults.kills += 1
      else faults.failures += 1
      await sleep(lastsMs)
      await end?.()
    }
  }
  const byKind = Map.groupBy(plan, ({ kind }) => kind)
  await Promise.all([...byKind].map(([kind, planned]) => makeKind(kind, planned)))
  return faults
}
