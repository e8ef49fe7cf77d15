import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { RunOptions } from 'axe-core'
import type { Frame, Page } from 'playwright-core'

/**
 * Which rules of axe run: all of them; those whose result changes with the look of a page, which are its colours
 * and its language; or all but that of the contrast, which needs the most time.
 */
export type AxeRules = 'all' | 'look' | 'no contrast'

const OPTIONS: Record<AxeRules, RunOptions> = {
  all: {},
  look: {
    runOnly: ['color-contrast', 'link-in-text-block', 'html-has-lang', 'html-lang-valid'],
  },
  'no contrast': { rules: { 'color-contrast': { enabled: false } } },
}

const script = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Returns what axe finds wrong in a page or a frame, as rule and element. */
export async function axeFaults(
  target: Page | Frame,
  rules: AxeRules = 'all',
  further: RunOptions = {},
): Promise<string[]> {
  // The policy forbids scripts from elsewhere, so the debugger runs it. A result with `axe` itself would be copied here.
  // As a script and not within a function, its compiled code serves the later pages of the process.
  const isLoaded = await target.evaluate<boolean>('window.axe !== undefined')
  if (!isLoaded) await target.evaluate(`${await script}; undefined`)
  // The whole result would be megabytes: all rules that every element obeys.
  const options: RunOptions = { resultTypes: ['violations'], ...OPTIONS[rules], ...further }
  return target.evaluate<string[]>(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`,
  )
}
