import { keepCoreForServer } from '../cores.ts'
import { asInformation } from '../figure.ts'
import type { Figure } from '../figure.ts'
import { openPlayerBenchWorld } from './bench-world.ts'
import type { PlayerBenchWorld } from './bench-world.ts'
import { measureEmbedPages } from './embed-pages.ts'
import { measureFirstFrames } from './first-frames.ts'
import { measureIdleMemory } from './idle-memory.ts'
import { measureScripts } from './script-sizes.ts'
import { measureSegments } from './segments.ts'
import { measureVerifyTimes } from './verify-token-times.ts'

/** In this order: memory is that of processes that have done no work yet. */
const PARTS: ((world: PlayerBenchWorld) => Promise<Figure[]>)[] = [
  measureIdleMemory,
  measureEmbedPages,
  measureSegments,
  measureFirstFrames,
  measureScripts,
]

/** The player's rows of the budgets (design, section 9), each beside its anchor. */
export async function benchPlayer(): Promise<Figure[]> {
  const cores = keepCoreForServer()
  const world = await openPlayerBenchWorld(cores.launcher)
  try {
    const figures: Figure[] = []
    for (const measure of PARTS) figures.push(...(await measure(world)))
    const { goodNs, badNs } = measureVerifyTimes()
    const row = 'viewer token verified, good beside bad'
    figures.push(asInformation(row, goodNs, 'ns', { anchor: badNs }))
    return figures
  } finally {
    await world.close()
    cores.release()
  }
}
