import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { projectDir } from '../bootstrap/tools.mjs'
import { readDynamicConfig } from './dynamic-config.ts'

describe("the dynamic configuration of production's Temporal", () => {
  it('reaches the embedded server with every setting', () => {
    const yaml = readFileSync(join(projectDir, 'deploy/temporal-dynamic-config.yaml'), 'utf8')
    const all = parse(yaml) as Record<string, { value: unknown }[]>
    const expected = Object.entries(all).map(([key, values]) => {
      expect(values).toEqual([{ value: values[0]?.value }])
      return `${key}=${JSON.stringify(values[0]?.value)}`
    })
    expect(readDynamicConfig(yaml)).toEqual(expected)
    expect(expected).toContain('matching.enableFairness=true')
  })

  it.each([
    ['two values', 'a.b:\n  - value: 1\n  - value: 2\n'],
    ['a constraint', 'a.b:\n  - value: 1\n    constraints: {}\n'],
    ['a text', 'a.b:\n  - value: "x"\n'],
    ['no value', 'a.b:\n'],
  ])('is refused with %s for a setting, which the command line could not pass on', (_, yaml) => {
    expect(() => readDynamicConfig(yaml)).toThrow('not one key with one value: ')
  })
})
