import { describe, expect, it } from 'vitest'
import { capacityOf } from './measured-capacity.ts'
import { paperRows } from './paper-load.ts'
import { paperTables } from './paper-tables.ts'
import { readRecord, type ScalingRecord } from './scaling-figures.ts'

/** The recorded figures, with other values for some. */
function recordWith(values: Record<string, number>): ScalingRecord {
  const record = readRecord()
  for (const name of Object.keys(values))
    expect(record.figures.map(({ figure }) => figure)).toContain(name)
  const figures = record.figures.map((one) => ({ ...one, value: values[one.figure] ?? one.value }))
  return { ...record, figures }
}

const tableOf = (name: string, values: Record<string, number>): string => {
  const record = recordWith(values)
  return paperTables(record, capacityOf(record))[name] ?? ''
}

describe('the load on paper', () => {
  it('keeps a billion events a month for 90 days and the week of their partition', () => {
    const event = paperRows(recordWith({ 'bytes of a row: event': 1_000 })).find(
      ({ table }) => table === 'event',
    )
    expect(event?.rows).toBeCloseTo((97 * 12e9) / 365, -3)
    expect(event?.bytes).toBeCloseTo(event!.rows * 1_000, -3)
    expect(event?.partitions).toBe(14)
  })

  it.each([
    [{ 'commits of PostgreSQL': 1 }, /^\| commits of PostgreSQL a second/],
    [{ 'workflows that one relay starts': 0.1 }, /^\| workflows that 3 relays start/],
    [{ 'webhook deliveries, first attempt succeeds': 0.1 }, /^\| deliveries that Temporal/],
  ])('names the part first that ends first, with %o', (values, first) => {
    const [, , row] = tableOf('ends', values).split('\n')
    expect(row).toMatch(first)
  })

  it('commits as often as each piece of work was measured to', () => {
    const record = recordWith({ 'commits of PostgreSQL per delivered webhook': 10 })
    const ofVideo = { figure: 'commits of PostgreSQL for a second of video', value: 2 }
    const others = record.figures.filter(({ figure }) => figure !== ofVideo.figure)
    const figures = [...others, { ...ofVideo, unit: '', anchor: null, budget: '' }]
    const rows = paperTables({ ...record, figures }, capacityOf(record)).commits
    // 10^9 × 12 / 365 / 86,400 = 380.5 a second.
    expect(rows).toMatch(/\| deliveries +\| 381 +\| 3,805 +\|/)
    expect(rows).toMatch(/\| seconds of video that are encoded +\| 634 +\| 1,268 +\|/)
  })

  it('needs as many connections as are busy with its commits', () => {
    const busy = (commits: number) =>
      Number(
        /busy at once +\| ([\d,]+)/
          .exec(tableOf('connections', { 'commits of PostgreSQL': commits }))?.[1]
          ?.replace(',', ''),
      )
    expect(busy(100)).toBeGreaterThan(9 * busy(1_000))
  })

  it('is not computed without a figure that it needs', () => {
    const record = readRecord()
    const figures = record.figures.filter(({ figure }) => figure !== 'bytes of a row: video')
    expect(() => paperTables({ ...record, figures }, capacityOf(record))).toThrow(
      'bytes of a row: video',
    )
  })
})
