import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { TASK_QUEUES } from '../../temporal/names.ts'
import { projectDir } from '../bootstrap/tools.mjs'
import { readDynamicConfig } from './dynamic-config.ts'

interface Value {
  value: unknown
  constraints?: { taskQueueName: string }
}

describe("the dynamic configuration of production's Temporal", () => {
  const yaml = readFileSync(join(projectDir, 'deploy/temporal-dynamic-config.yaml'), 'utf8')
  const all = Object.entries(parse(yaml) as Record<string, Value[]>)

  it('reaches the embedded server with every setting but those of single queues', () => {
    const expected = all.map(([key, values]) => {
      const [general, ...others] = values.filter(({ constraints }) => constraints === undefined)
      expect(others).toEqual([])
      return `${key}=${JSON.stringify(general?.value)}`
    })
    expect(readDynamicConfig(yaml)).toEqual(expected)
    expect(expected).toContain('matching.enableFairness=true')
  })

  it('has more partitions for deliveries alone, as many to read as to write', () => {
    const ofQueues = all.flatMap(([key, values]) =>
      values.flatMap(({ value, constraints }) =>
        constraints ? [[key, constraints.taskQueueName, value]] : [],
      ),
    )
    expect(ofQueues).toEqual([
      ['matching.numTaskqueueReadPartitions', TASK_QUEUES.deliveries, 4],
      ['matching.numTaskqueueWritePartitions', TASK_QUEUES.deliveries, 4],
    ])
  })

  it.each([
    ['two values', 'a.b:\n  - value: 1\n  - value: 2\n'],
    ['only a value for one queue', 'a.b:\n  - value: 1\n    constraints: { taskQueueName: c }\n'],
    ['another constraint', 'a.b:\n  - value: 1\n    constraints: { namespace: c }\n'],
    ['constraints of no value', 'a.b:\n    constraints: { taskQueueName: c }\n'],
    ['a text', 'a.b:\n  - value: "x"\n'],
    ['no value', 'a.b:\n'],
    ['no key', '  - value: 1\n'],
  ])('is refused with %s for a setting, which the command line could not pass on', (_, text) => {
    expect(() => readDynamicConfig(text)).toThrow(/^not /)
  })
})
