import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectDir } from '../../scripts/bootstrap/tools.mjs'
import { CORE_SECONDS_OF_720P, costOf, guessedVideo } from './estimate.ts'

describe('the cost of an import', () => {
  it('is that of the peak rates of the ladder, and of the pixels', () => {
    const hour = { seconds: 3_600, width: 1_280, height: 720 }
    const cost = costOf(hour)
    expect(cost.coreSeconds).toBeCloseTo(3_600 * CORE_SECONDS_OF_720P)
    // 700, 1,200, 2,200 and 4,500 kbit/s, and audio.
    expect(cost.ladderBytes).toBe((3_600 * (8_600_000 + 128_000)) / 8)
    const large = costOf({ seconds: 3_600, width: 1_920, height: 1_080 })
    expect(large.coreSeconds / cost.coreSeconds).toBeCloseTo(2.25)
    expect(large.ladderBytes).toBeGreaterThan(cost.ladderBytes)
  })

  it('has the figure of docs/scaling.md', () => {
    const text = readFileSync(join(projectDir, 'docs/scaling.md'), 'utf8')
    expect(text).toContain(`${CORE_SECONDS_OF_720P} core-seconds for a second of video`)
  })

  it('is guessed by the size of a file that cannot be measured', () => {
    expect(guessedVideo(625_000 * 60)).toEqual({ seconds: 60, width: 1_920, height: 1_080 })
  })
})
