import { setTimeout as sleep } from 'node:timers/promises'
import { MockActivityEnvironment } from '@temporalio/testing'
import { describe, expect, it } from 'vitest'
import { waitFor } from '../../test/infrastructure/wait-for.ts'
import { ingestStep } from './ingest-step.ts'
import { reportProgress } from './report-progress.ts'

const STALL_MS = 1_000
const bounds = { stallMs: STALL_MS, beatEveryMs: 20 }

/** Runs a step and records the times of its heartbeats. */
function runStep(step: (beatsMs: number[]) => Promise<void>): Promise<number[]> {
  const environment = new MockActivityEnvironment()
  const beatsMs: number[] = []
  environment.on('heartbeat', () => void beatsMs.push(performance.now()))
  const run = ingestStep(() => step(beatsMs))
  return environment.run(run, undefined).then(() => beatsMs)
}

describe('the heartbeats of a step', () => {
  it('continue while its last progress is recent, and stop when it hangs', async () => {
    let progressAtMs = 0
    const beatsMs = await runStep(async (beats) => {
      const report = reportProgress({ fraction: 0 }, bounds)
      await waitFor('heartbeats without progress', async () => beats.length > 3)
      report({ fraction: 0.5 })
      progressAtMs = performance.now()
      const sinceLastMs = () => performance.now() - (beats.at(-1) ?? 0)
      await waitFor('silence', async () => sinceLastMs() > 2 * STALL_MS)
    })
    expect((beatsMs.at(-1) ?? 0) - progressAtMs).toBeLessThan(STALL_MS + 100)
  })

  it('end with the step', async () => {
    const beatsMs = await runStep(async (beats) => {
      reportProgress({ fraction: 0 }, bounds)
      await waitFor('a second heartbeat', async () => beats.length > 1)
    })
    const sent = beatsMs.length
    await sleep(5 * bounds.beatEveryMs)
    expect(beatsMs).toHaveLength(sent)
  })
})
