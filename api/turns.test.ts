import { describe, expect, it } from 'vitest'
import { until } from '../test/infrastructure/wait-for.ts'
import { Turns } from './turns.ts'

const never = new AbortController().signal

/** Work that ends when the test says so, and a record of what has started. */
function openWork(turns: Turns) {
  const started: string[] = []
  const ends: (() => void)[] = []
  const take = (accountId: number, name: string, signal = never) =>
    turns.take(accountId, signal, () => {
      started.push(name)
      return new Promise<string>((resolve) => ends.push(() => resolve(name)))
    })
  const endNext = async (): Promise<void> => {
    const count = started.length
    ends.shift()?.()
    await until(() => started.length > count)
  }
  return { started, ends, take, endNext }
}

describe('turns', () => {
  it('go round the accounts, and bound what runs', async () => {
    const { started, ends, take, endNext } = openWork(new Turns({ atOnce: 2, waitingMax: 8 }))
    const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2'].map((name) =>
      take(name.charCodeAt(0), name),
    )
    expect(started).toEqual(['a1', 'a2'])
    for (let index = 0; index < 5; index += 1) await endNext()
    expect(started).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'b2'])
    for (const end of ends) end()
    expect(await Promise.all(all)).toHaveLength(7)
  })

  it('refuse an account that waits too often, and no other', async () => {
    const { started, ends, take } = openWork(new Turns({ atOnce: 1, waitingMax: 2 }))
    const all = ['a1', 'a2', 'a3'].map((name) => take(1, name))
    await expect(take(1, 'a4')).rejects.toMatchObject({ code: 'rate_limited' })
    all.push(take(2, 'b1'))
    ends.shift()?.()
    await until(() => started.length === 2)
    while (started.length < 4 || ends.length > 0) {
      ends.shift()?.()
      await Promise.resolve()
    }
    expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'b1'])
  })

  it('drop work whose client has disconnected', async () => {
    const { started, ends, take, endNext } = openWork(new Turns({ atOnce: 1, waitingMax: 8 }))
    const gone = new AbortController()
    const first = take(1, 'a1')
    const dropped = take(1, 'a2', gone.signal)
    const last = take(1, 'a3')
    gone.abort()
    await expect(dropped).rejects.toThrow()
    await endNext()
    for (const end of ends) end()
    expect([await first, await last, started]).toEqual(['a1', 'a3', ['a1', 'a3']])
  })
})
