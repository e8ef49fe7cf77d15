import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DatabaseBusyError, timedBatches } from './timed-batches.ts'

interface Call {
  key: string
  value: number
}

/** Batches whose runs the test ends by hand. */
function setUp(
  limits: {
    sizeMax?: number
    atOnce?: number
    waitingMax?: number
    waitingOfKeyMax?: number
  } = {},
) {
  const runs: { inputs: Call[]; end: PromiseWithResolvers<void> }[] = []
  const batches = timedBatches<Call, number>({
    run: async (inputs) => {
      const end = Promise.withResolvers<void>()
      runs.push({ inputs, end })
      await end.promise
      return inputs.map(({ value }) => value * 2)
    },
    keyOf: ({ key }) => key,
    waitMs: 5,
    sizeMax: 100,
    atOnce: 1,
    waitingMax: 1000,
    waitingOfKeyMax: 1000,
    ...limits,
  })
  const valuesOf = () => runs.map(({ inputs }) => inputs.map(({ value }) => value))
  return { runs, valuesOf, batches }
}

const call = (value: number, key = `${value}`): Call => ({ key, value })
const settle = () => new Promise((resolve) => setTimeout(resolve, 15))
const faultOf = (code: string) => Object.assign(new Error(code), { code, severity: 'ERROR' })

describe('calls that share statements', () => {
  it('go together, and get their responses after the commit', async () => {
    const { runs, valuesOf, batches } = setUp()
    const results = [1, 2, 3].map((value) => batches.add(call(value)))
    let isThere = false
    void Promise.any(results).then(() => (isThere = true))
    await settle()
    expect([valuesOf(), isThere]).toEqual([[[1, 2, 3]], false])
    runs[0]?.end.resolve()
    expect(await Promise.all(results)).toEqual([2, 4, 6])
  })

  it('with the same key go one after the other', async () => {
    const { runs, valuesOf, batches } = setUp()
    const results = [call(1, 'a'), call(2, 'b'), call(3, 'a')].map((one) => batches.add(one))
    await settle()
    expect(valuesOf()).toEqual([[1, 2]])
    runs[0]?.end.resolve()
    await settle()
    expect(valuesOf()).toEqual([[1, 2], [3]])
    runs[1]?.end.resolve()
    expect(await Promise.all(results)).toEqual([2, 4, 6])
  })

  it('are at most so many in a batch and at once, and a call too many is refused', async () => {
    const { runs, valuesOf, batches } = setUp({ sizeMax: 2, waitingMax: 3 })
    const results = [1, 2, 3, 4, 5].map((value) => batches.add(call(value)))
    await expect(batches.add(call(6))).rejects.toThrow(DatabaseBusyError)
    for (let at = 0; at < 3; at += 1) {
      expect(valuesOf()).toHaveLength(at + 1)
      runs[at]?.end.resolve()
      await settle()
    }
    expect(valuesOf()).toEqual([[1, 2], [3, 4], [5]])
    expect(await Promise.all(results)).toEqual([2, 4, 6, 8, 10])
  })

  it('with the same key wait in a limited number, so that others have room', async () => {
    const { runs, valuesOf, batches } = setUp({ atOnce: 2, waitingMax: 4, waitingOfKeyMax: 2 })
    const first = batches.add(call(1, 'a'))
    await settle()
    const others = [call(2, 'a'), call(3, 'a')].map((one) => batches.add(one))
    await expect(batches.add(call(4, 'a'))).rejects.toThrow(DatabaseBusyError)
    const results = [first, ...others, batches.add(call(5, 'b'))]
    await settle()
    expect(valuesOf()).toEqual([[1], [5]])
    for (const at of [0, 1, 2, 3]) {
      runs[at]?.end.resolve()
      await settle()
    }
    results.push(batches.add(call(6, 'a')))
    await settle()
    runs.at(-1)?.end.resolve()
    expect(await Promise.all(results)).toEqual([2, 4, 6, 10, 12])
  })

  it('are sent at once when the batches close, which waits for them', async () => {
    const { runs, valuesOf, batches } = setUp()
    const result = batches.add(call(1))
    const closed = batches.close()
    const late = batches.add(call(2))
    expect(valuesOf()).toEqual([[1]])
    runs[0]?.end.resolve()
    await settle()
    runs[1]?.end.resolve()
    await closed
    expect([await result, await late]).toEqual([2, 4])
  })
})

describe('a batch that fails', () => {
  const failing = (isBad: (value: number) => string | null) => {
    let runs = 0
    const batches = timedBatches<Call, number>({
      run: async (inputs) => {
        runs += 1
        const code = inputs.flatMap(({ value }) => isBad(value) ?? [])[0]
        if (code !== undefined) throw faultOf(code)
        return inputs.map(({ value }) => value * 2)
      },
      keyOf: ({ key }) => key,
      waitMs: 1,
      sizeMax: 100,
      atOnce: 2,
      waitingMax: 1000,
      waitingOfKeyMax: 1000,
    })
    return { batches, runs: () => runs }
  }

  it('fails only the calls that are at fault', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 20 }), async (bad) => {
        const { batches } = failing((value) => (bad[value] ? '22P02' : null))
        const results = await Promise.allSettled(bad.map((_, value) => batches.add(call(value))))
        expect(results.map(({ status }) => status === 'rejected')).toEqual(bad)
      }),
      { numRuns: 30 },
    )
  })

  it('gives each call its error, once, if PostgreSQL is away', async () => {
    const { batches, runs } = failing(() => '57P01')
    const results = await Promise.allSettled([1, 2, 3].map((value) => batches.add(call(value))))
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(runs()).toBe(1)
  })
})
