import { describe, expect, it } from 'vitest'
import { SECURITY_EVENTS_PER_MINUTE } from '../../../domain/limits.ts'
import { createTally, type ObservedEvent } from './tally.ts'

const refusal = (change: Partial<ObservedEvent> = {}): ObservedEvent => ({
  accountId: 1,
  eventType: 'viewer_token_required',
  severity: 'low',
  videoId: 'v',
  viewerId: null,
  details: { reason: 'expired' },
  requestId: 'req_1',
  repeatsOf: null,
  ...change,
})
const many = (count: number, change?: Partial<ObservedEvent>) =>
  Array.from({ length: count }, () => refusal(change))

describe('the security events of an account', () => {
  it('have a row each up to the limit of a minute, and the rest is counted by kind and reason', () => {
    const tally = createTally(() => 0)
    const forged = { severity: 'high', details: { reason: 'forged' } } as const
    const rows = tally.rowsOf([
      ...many(SECURITY_EVENTS_PER_MINUTE + 10),
      ...many(7, forged),
      ...many(1, { accountId: 2 }),
    ])
    expect(rows).toHaveLength(SECURITY_EVENTS_PER_MINUTE + 3)
    const counted = rows.filter(({ more }) => more > 1)
    expect(counted.map(({ more, event }) => [more, event.details, event.videoId])).toEqual([
      [10, { reason: 'expired' }, null],
      [7, { reason: 'forged' }, null],
    ])
    expect(tally.settle(rows)).toBe(SECURITY_EVENTS_PER_MINUTE + 18)
  })

  it('have rows of their own again in the next minute', () => {
    let nowMs = 0
    const tally = createTally(() => nowMs)
    tally.settle(tally.rowsOf(many(SECURITY_EVENTS_PER_MINUTE + 10)))
    nowMs = 60_000
    expect(tally.rowsOf(many(2)).map(({ more }) => more)).toEqual([1, 1])
  })

  it('need few rows, whatever devices are named', () => {
    const tally = createTally(() => 0)
    const rows = tally.rowsOf(
      Array.from({ length: 500 }, (_, n) =>
        refusal({ details: { revoked_by: 'account', device_id: `d${n}` } }),
      ),
    )
    expect(rows).toHaveLength(SECURITY_EVENTS_PER_MINUTE + 1)
  })
})

describe('repeated events', () => {
  it('are counted on the first of an hour', () => {
    let nowMs = 0
    const tally = createTally(() => nowMs)
    const observe = (repeatsOf: string) => tally.rowsOf([refusal({ repeatsOf })])[0]
    const first = observe('viewer ann')
    nowMs = 59 * 60_000
    expect(observe('viewer ann')).toBe(first)
    expect(observe('viewer bob')).not.toBe(first)
    nowMs = 61 * 60_000
    expect(observe('viewer ann')).not.toBe(first)
  })

  it('are not counted on a row that was not committed', () => {
    const tally = createTally(() => 0)
    const event = refusal({ repeatsOf: 'viewer ann' })
    const rows = tally.rowsOf([event])
    tally.forget(rows)
    expect(tally.rowsOf([event])[0]).not.toBe(rows[0])
  })
})
