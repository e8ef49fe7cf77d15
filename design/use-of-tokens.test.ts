import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { projectDir } from '../scripts/bootstrap/tools.mjs'

/** The style of every page but the player, whose colours its owner chooses. */
const SHEETS = [
  'dashboard/web/**/*.css',
  'dashboard/server/pages/*.css',
  'http/pages/*.css',
  'api/docs/*.css',
  'player/server/pages/*.css',
]

/** What a sheet takes from `design/`, and the values that need no token. */
const RULES: [property: RegExp, value: RegExp][] = [
  [/^font-size$/, /^(var\(--text-\w+\)|inherit|[\d.]+c?qw|(0\.\d+|1)em)$/],
  [/^font-weight$/, /^(var\(--(regular|medium|bold)\)|inherit)$/],
  [/^font-family$/, /^(var\(--font(-code)?\)|inherit)$/],
  [/^border(-\w+)*-radius$/, /^(var\(--radius-\w+\)|50%|0|inherit)( |$)/],
  [/^transition(-duration)?$/, /var\(--(quick|moderate|slow)\)|^none$/],
  [/color|background|shadow|border|outline|fill|stroke/, /^(?!.*(#[\da-f]{3}|\brgba?\())/i],
]

it('the sheets of the pages take colours, sizes, weights, shapes and motion from design/', async () => {
  const wrong: string[] = []
  let count = 0
  for await (const file of glob(SHEETS, { cwd: projectDir })) {
    const text = (await readFile(join(projectDir, file), 'utf8')).replaceAll(
      /\/\*[\s\S]*?\*\//g,
      '',
    )
    count += 1
    for (const [, property = '', value = ''] of text.matchAll(/([\w-]+):\s*([^;{}]+);/g))
      for (const [name, allowed] of RULES)
        if (
          name.test(property) &&
          !property.startsWith('--') &&
          !allowed.test(value.replaceAll(/\s+/g, ' '))
        )
          wrong.push(`${file}: ${property}: ${value}`)
  }
  expect(wrong).toEqual([])
  expect(count).toBeGreaterThan(10)
})
