import {
  readViewerToken,
  signViewerToken,
  verifyViewerToken,
} from '../../security/tokens/viewer-token.ts'
import { reserveServerCore } from '../cores.ts'
import { asInformation, type Figure } from '../figure.ts'
import { median } from '../load.ts'
import { measureEmbedPages } from './embed-pages.ts'
import { measureFirstFrames } from './first-frames.ts'
import { openPlayerBenchFixture, type PlayerBenchFixture } from './fixture.ts'
import { measureIdleMemory } from './idle-memory.ts'
import { measureLicencesPerPlay } from './licences-per-play.ts'
import { measureScripts } from './script-sizes.ts'
import { measureSegments } from './segments.ts'

/** In this order, because memory is measured before the processes have done any work. */
const PARTS: ((fixture: PlayerBenchFixture) => Promise<Figure[]>)[] = [
  measureIdleMemory,
  measureEmbedPages,
  measureSegments,
  measureFirstFrames,
  measureScripts,
  measureLicencesPerPlay,
]

/** Measures the player, each figure compared with its anchor. */
export async function benchPlayer(): Promise<Figure[]> {
  const cores = reserveServerCore()
  const fixture = await openPlayerBenchFixture(cores.launcher)
  try {
    const figures: Figure[] = []
    for (const measure of PARTS) figures.push(...(await measure(fixture)))
    const { goodNs, badNs } = measureVerifyTimes()
    const row = 'verification of a viewer token, valid against forged'
    figures.push(asInformation(row, goodNs, 'ns', { anchor: badNs }))
    return figures
  } finally {
    await fixture.close()
    cores.release()
  }
}

const SAMPLES = 4001
/** Calls in one sample, because one call is shorter than the clock's resolution. */
const CALLS = 50
const WARM_UP_CALLS = 20_000

/**
 * Measures the verification of a viewer token with a correct signature, and of one that is wrong in
 * its last character. Returns medians in nanoseconds per call. The samples alternate, so that other
 * load on the machine affects both.
 */
function measureVerifyTimes(): { goodNs: number; badNs: number } {
  const nowMs = Date.now()
  const secret = 'a1b2c3d4'.repeat(8)
  const expiresAtSeconds = Math.floor(nowMs / 1000) + 3600
  const good = signViewerToken({ viewerId: 'viewer-42', expiresAtSeconds }, secret)
  const bad = good.slice(0, -1) + (good.endsWith('A') ? 'E' : 'A')
  const sample = (vt: string): number => {
    const startedAt = process.hrtime.bigint()
    for (let call = 0; call < CALLS; call++) verifyViewerToken(readViewerToken(vt), secret, nowMs)
    return Number(process.hrtime.bigint() - startedAt) / CALLS
  }
  for (let call = 0; call < WARM_UP_CALLS; call += 2 * CALLS) [good, bad].forEach(sample)
  const times = { good: [] as number[], bad: [] as number[] }
  for (let taken = 0; taken < SAMPLES; taken++) {
    // The order alternates too.
    const order = taken % 2 === 0 ? ([good, bad] as const) : ([bad, good] as const)
    for (const vt of order) times[vt === good ? 'good' : 'bad'].push(sample(vt))
  }
  return { goodNs: median(times.good), badNs: median(times.bad) }
}
