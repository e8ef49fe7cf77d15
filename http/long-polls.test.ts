import { describe, expect, it } from 'vitest'
import { createLongPolls } from './long-polls.ts'

const LONG_MS = 3_600_000
const never = () => new AbortController().signal

/** Counts its calls, and never has a result. */
function looker() {
  const looks = { count: 0, look: async () => (looks.count += 1) }
  return looks
}

const until = async (condition: () => boolean) => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10))
}

describe('long polls', () => {
  it('look once without a wait, or if the first look is enough', async () => {
    const polls = createLongPolls(never())
    const looks = looker()
    const wait = { group: 1, waitMs: 0, whenGone: never }
    expect(await polls.repeat(looks.look, () => false, wait)).toBe(1)
    expect(await polls.repeat(looks.look, () => true, { ...wait, waitMs: LONG_MS })).toBe(2)
  })

  it('look again until the result is enough', async () => {
    const polls = createLongPolls(never())
    const wait = { group: 1, waitMs: LONG_MS, whenGone: never }
    expect(await polls.repeat(looker().look, (count) => count === 3, wait)).toBe(3)
  })

  it('end when the client disconnects and when the process stops', async () => {
    const [gone, stopping] = [new AbortController(), new AbortController()]
    const polls = createLongPolls(stopping.signal)
    const wait = { group: 1, waitMs: LONG_MS }
    const looks = looker()
    const left = polls.repeat(looks.look, () => false, { ...wait, whenGone: () => gone.signal })
    const stopped = polls.repeat(looks.look, () => false, { ...wait, whenGone: never })
    await until(() => looks.count > 2)
    gone.abort()
    await left
    stopping.abort()
    await stopped
    const { count } = looks
    await polls.repeat(looks.look, () => false, { ...wait, whenGone: never })
    expect(looks.count).toBe(count + 1)
  })

  it('are limited for each account and for the process; others get their response immediately', async () => {
    const stopping = new AbortController()
    const polls = createLongPolls(stopping.signal, { perProcess: 3, perGroup: 2 })
    const repeat = (group: number, looks = looker()) =>
      polls.repeat(looks.look, () => false, { group, waitMs: LONG_MS, whenGone: never })
    const waiting = [repeat(1), repeat(1)]
    await new Promise(setImmediate)
    expect(await repeat(1)).toBe(1)
    waiting.push(repeat(2))
    await new Promise(setImmediate)
    expect(await repeat(3)).toBe(1)
    stopping.abort()
    await Promise.all(waiting)
  })

  it('release their places, even if a look fails', async () => {
    const polls = createLongPolls(never(), { perProcess: 1, perGroup: 1 })
    const wait = { group: 1, waitMs: LONG_MS, whenGone: never }
    const looks = looker()
    const failing = async () => {
      if ((await looks.look()) > 1) throw new Error('the database is away')
    }
    await expect(polls.repeat(failing, () => false, wait)).rejects.toThrow('away')
    expect(await polls.repeat(looker().look, (count) => count === 2, wait)).toBe(2)
  })
})
