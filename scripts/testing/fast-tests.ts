import { existsSync, readFileSync } from 'node:fs'
import { join as joinNative } from 'node:path'
import { dirname, join } from 'node:path/posix'
import { projectDir } from '../bootstrap/tools.mjs'
import { recordedDurations } from './durations.ts'
import { listedFiles } from './listed-files.ts'

export type Need = 'browser' | 'encoder' | 'time'

/** The modules through which tests start a browser or an encoder. */
const NEEDS: Record<string, Need> = {
  'playwright-core': 'browser',
  'activities/ingest/ingest-activities.ts': 'encoder',
  'activities/ingest/set-poster.ts': 'encoder',
  'test/fixtures/sources.ts': 'encoder',
  'test/fixtures/media-files.ts': 'encoder',
  'test/fixtures/chunked-video.ts': 'encoder',
  'test/fixtures/play-rendition.ts': 'encoder',
  'test/fixtures/running-service.ts': 'encoder',
}
/** What else starts one, in the text of a test or a fixture. */
const ENCODER_CALLS =
  /copyPreparedVideos\(|verifyUpgrade\(|'ffmpeg'|'ffprobe'|headlessChromiumPath\(/
const FAST_SECONDS = 10

const STATIC_IMPORTS = /^(?:import|export) (?!type )[^;]*?from '([^']+)'/gm

export interface ChosenTests {
  chosen: string[]
  leftOut: Record<Need, number>
}

/** Chooses the tests that need neither a browser nor an encoder and took at most ten seconds in the recorded run. */
export function chooseFastTests(): ChosenTests {
  const leftOut = { browser: 0, encoder: 0, time: 0 }
  const needOf = createNeeds(recordedDurations())
  const chosen = listedFiles('*.test.ts').filter((path) => {
    const need = needOf(path)
    if (need) leftOut[need] += 1
    return need === null
  })
  return { chosen, leftOut }
}

/** Returns a function that names what a test file needs, or null. */
export function createNeeds(durations: Record<string, number>): (path: string) => Need | null {
  return (path) => {
    const reached = modulesReached(path)
    for (const need of ['browser', 'encoder'] as const)
      if (reached.some((module) => NEEDS[module] === need)) return need
    if (reached.some((module) => isTestCode(module) && ENCODER_CALLS.test(readText(module))))
      return 'encoder'
    return (durations[path] ?? 0) > FAST_SECONDS ? 'time' : null
  }
}

/** Returns what the test imports, through tests and fixtures but not through the product's modules. */
function modulesReached(path: string): string[] {
  const reached = new Set([path])
  for (const module of reached) {
    if (!isTestCode(module)) continue
    for (const [, imported = ''] of readText(module).matchAll(STATIC_IMPORTS))
      reached.add(imported.startsWith('.') ? join(dirname(module), imported) : imported)
  }
  return [...reached]
}

/** The services of a test run start encoders in a process of their own, and only for tests that ask for videos. */
const isTestCode = (module: string): boolean =>
  module.endsWith('.test.ts') ||
  (module.startsWith('test/') &&
    module.endsWith('.ts') &&
    !module.startsWith('test/infrastructure/services'))

const texts = new Map<string, string>()
function readText(module: string): string {
  let text = texts.get(module)
  if (text === undefined) {
    const path = joinNative(projectDir, module)
    text = existsSync(path) ? readFileSync(path, 'utf8') : ''
    texts.set(module, text)
  }
  return text
}
