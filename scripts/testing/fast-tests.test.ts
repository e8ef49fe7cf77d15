import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectDir } from '../bootstrap/tools.mjs'
import { recordedDurations } from './durations.ts'
import { chooseFastTests, createNeeds, type Need } from './fast-tests.ts'

describe('npm run test:fast', () => {
  it.each<[string, Need | null]>([
    ['test/browser/playback.test.ts', 'browser'],
    ['dashboard/server/pages/pages-in-chromium.test.ts', 'browser'],
    ['media/encode/make-poster.test.ts', 'encoder'],
    ['test/kill.test.ts', 'encoder'],
    ['activities/ingest/record-progress.test.ts', 'encoder'],
    ['activities/ingest/internal-errors.test.ts', 'encoder'],
    ['api/videos/operations.test.ts', null],
    ['domain/encoding/ladder.test.ts', null],
  ])('sees that %s needs %j', (path, need) => {
    expect(createNeeds({})(path)).toBe(need)
  })

  it('leaves out what took longer than ten seconds', () => {
    const needOf = createNeeds({ 'domain/encoding/ladder.test.ts': 11, 'http/list.test.ts': 10 })
    expect(needOf('domain/encoding/ladder.test.ts')).toBe('time')
    expect(needOf('http/list.test.ts')).toBeNull()
  })

  it('chooses the rest of the test files and counts those it leaves out', () => {
    const { chosen, leftOut } = chooseFastTests()
    expect(chosen).toContain('domain/encoding/ladder.test.ts')
    expect(chosen.length).toBeGreaterThan(100)
    for (const count of Object.values(leftOut)) expect(count).toBeGreaterThan(10)
  })
})

describe('the recorded durations', () => {
  it('name files that exist', () => {
    const missing = Object.keys(recordedDurations()).filter(
      (path) => !existsSync(join(projectDir, path)),
    )
    expect(missing).toEqual([])
  })
})
