import { describe, expect, it } from 'vitest'
import { inBatches } from './batches.ts'

/** A batch runner that the test ends by hand, and the inputs of each of its runs. */
function setUp(atOnce = 1) {
  const runs: { inputs: number[]; end: PromiseWithResolvers<void> }[] = []
  const double = inBatches<number, number>(async (inputs) => {
    const end = Promise.withResolvers<void>()
    runs.push({ inputs, end })
    await end.promise
    return inputs.map((input) => input * 2)
  }, atOnce)
  return { runs, double }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('calls in batches', () => {
  it('start immediately while there is room, and otherwise share the next statement', async () => {
    const { runs, double } = setUp()
    const results = [1, 2, 3].map(double)
    expect(runs.map(({ inputs }) => inputs)).toEqual([[1]])
    runs[0]?.end.resolve()
    await settle()
    expect(runs.map(({ inputs }) => inputs)).toEqual([[1], [2, 3]])
    runs[1]?.end.resolve()
    expect(await Promise.all(results)).toEqual([2, 4, 6])
  })

  it('run concurrently while there is room', async () => {
    const { runs, double } = setUp(2)
    const results = [1, 2, 3, 4].map(double)
    expect(runs.map(({ inputs }) => inputs)).toEqual([[1], [2]])
    runs[1]?.end.resolve()
    await settle()
    expect(runs.map(({ inputs }) => inputs)).toEqual([[1], [2], [3, 4]])
    runs.forEach(({ end }) => end.resolve())
    expect(await Promise.all(results)).toEqual([2, 4, 6, 8])
  })

  it('do not wait for the slower output of another call', async () => {
    const slow = Promise.withResolvers<number>()
    const result = inBatches<number, number>(
      async (inputs) => inputs.map((input) => (input === 2 ? slow.promise : input)),
      1,
    )
    const results = [1, 2, 3].map(result)
    expect(await results[2]).toBe(3)
    slow.resolve(20)
    expect(await results[1]).toBe(20)
  })

  it('of one statement fail together, and later calls run', async () => {
    const { runs, double } = setUp()
    const failing = double(1)
    const waiting = double(2)
    runs[0]?.end.reject(new Error('lost'))
    await expect(failing).rejects.toThrow('lost')
    await settle()
    runs[1]?.end.resolve()
    expect(await waiting).toBe(4)
  })
})
