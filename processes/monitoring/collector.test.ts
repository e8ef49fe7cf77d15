import { expect, it } from 'vitest'
import { outboxAge } from '../../metrics/installation.ts'
import { registry } from '../../metrics/registry.ts'
import { createCollector, keptFor, type Sample } from './collector.ts'

const shown = () => registry.getSingleMetricAsString('reelgate_outbox_oldest_age_seconds')

it('values that cost too much are read once in their time, also after a failure', async () => {
  let reads = 0
  const failures: string[] = []
  const read = keptFor(60_000, async () => {
    reads += 1
    throw new Error('too much')
  })
  const costly = { name: 'costly', gauges: [outboxAge], read }
  const collect = createCollector([costly], (name) => failures.push(name))
  for (let count = 0; count < 3; count += 1) await collect()
  expect({ reads, failures }).toEqual({ reads: 1, failures: ['costly'] })
  expect(await shown()).not.toMatch(/^reelgate/m)
})

it('a value that does not come in time is missing, and not the one of before', async () => {
  const gauges = [outboxAge]
  const failures: string[] = []
  const collectFrom = (read: () => Promise<Sample[]>) =>
    createCollector([{ name: 'outbox', gauges, read }], (name) => failures.push(name), 50)()
  await collectFrom(async () => [{ gauge: outboxAge, value: 7 }])
  expect(await shown()).toContain('reelgate_outbox_oldest_age_seconds 7')
  await collectFrom(() => new Promise(() => {}))
  expect(await shown()).not.toContain('seconds 7')
  expect(failures).toEqual(['outbox'])
})
