import { reserveServerCore } from '../cores.ts'
import { asInformation } from '../figure.ts'
import type { Figure } from '../figure.ts'
import { openPlayerBenchFixture } from './fixture.ts'
import type { PlayerBenchFixture } from './fixture.ts'
import { measureEmbedPages } from './embed-pages.ts'
import { measureFirstFrames } from './first-frames.ts'
import { measureIdleMemory } from './idle-memory.ts'
import { measureScripts } from './script-sizes.ts'
import { measureSegments } from './segments.ts'
import { measureVerifyTimes } from './verify-token-times.ts'

/** In this order, because memory is measured before the processes have done any work. */
const PARTS: ((fixture: PlayerBenchFixture) => Promise<Figure[]>)[] = [
  measureIdleMemory,
  measureEmbedPages,
  measureSegments,
  measureFirstFrames,
  measureScripts,
]

/** Measures the player, each figure compared with its anchor. */
export async function benchPlayer(): Promise<Figure[]> {
  const cores = reserveServerCore()
  const fixture = await openPlayerBenchFixture(cores.launcher)
  try {
    const figures: Figure[] = []
    for (const measure of PARTS) figures.push(...(await measure(fixture)))
    const { goodNs, badNs } = measureVerifyTimes()
    const row = 'viewer token verified, good beside bad'
    figures.push(asInformation(row, goodNs, 'ns', { anchor: badNs }))
    return figures
  } finally {
    await fixture.close()
    cores.release()
  }
}
