import { describe, expect, it } from 'vitest'
import { appendEvent } from '../../commands/events.ts'
import { setUpSdkFixture } from '../../test/fixtures/sdk.ts'
import { waitFor } from '../../test/infrastructure/wait-for.ts'
import type { FollowOptions, ReelgateOptions, WebhookEvent } from './index.ts'

const t = setUpSdkFixture()
const VIDEO_ID = 'a'.repeat(20)

/** Creates a separate account with a client, and functions that create events in it. */
async function setUpAccount(options: Partial<ReelgateOptions> = {}) {
  const { id: accountId, key } = await t.api.makeAccount()
  const reelgate = t.clientWith({ apiKey: key, ...options })
  const em = () => t.api.db.em.fork()
  const append = () =>
    appendEvent(em(), { accountId, type: 'video.deleted', data: { id: VIDEO_ID, object: 'video' } })
  const fail = () =>
    appendEvent(em(), {
      accountId,
      type: 'video.failed',
      data: { id: VIDEO_ID, object: 'video', status: 'failed', error: 'It broke.' },
    })
  const shown = (eventId: string) =>
    waitFor('the event', async () =>
      (await reelgate.events.list({ limit: 100 })).data.some(({ id }) => id === eventId),
    )
  const take = async (count: number, how: FollowOptions = {}): Promise<WebhookEvent[]> => {
    const taken: WebhookEvent[] = []
    for await (const event of reelgate.events.follow(how))
      if (taken.push(event) === count) return taken
    return taken
  }
  const isWaiting = (before: number) =>
    waitFor('the long poll', async () =>
      t.front.seen.slice(before).some(({ path }) => path.includes('wait_seconds')),
    )
  return { append, fail, shown, take, isWaiting }
}

const eventIds = (events: WebhookEvent[]): string[] => events.map(({ id }) => id)

describe('following the events', () => {
  it('yields each new event once and in order', async () => {
    const { append, shown, take, isWaiting } = await setUpAccount()
    await shown(await append())
    const before = t.front.seen.length
    const taking = take(3)
    await isWaiting(before)
    const ids = [await append(), await append(), await append()]
    expect(eventIds(await taking)).toEqual(ids)
  })

  it('starts with the first event of a new account', async () => {
    const { append, take, isWaiting } = await setUpAccount()
    const before = t.front.seen.length
    const taking = take(2)
    await isWaiting(before)
    const ids = [await append(), await append()]
    expect(eventIds(await taking)).toEqual(ids)
  })

  it('continues after an event, or starts at a time', async () => {
    const { append, shown, take } = await setUpAccount()
    const ids: string[] = []
    for (let count = 0; count < 5; count += 1) ids.push(await append())
    await shown(ids[4] ?? '')
    expect(eventIds(await take(3, { after: ids[1] }))).toEqual(ids.slice(2))
    const events = await take(5, { since: new Date(0) })
    expect(eventIds(events)).toEqual(ids)
    const since = new Date(events[3]?.created_at ?? '')
    // Times are whole seconds, so that earlier events may have the same.
    const first = events.find(({ created_at: time }) => new Date(time) >= since)
    expect(eventIds(await take(1, { since }))).toEqual([first?.id])
  })

  it('reads more than one page of past events', async () => {
    const { append, shown, take } = await setUpAccount()
    const ids: string[] = []
    for (let count = 0; count < 120; count += 1) ids.push(await append())
    await shown(ids.at(-1) ?? '')
    expect(eventIds(await take(120, { since: new Date(0) }))).toEqual(ids)
  })

  it.each([[['video.failed']], [['video.failed', 'video.ready']]] as const)(
    'yields only %j',
    async (types) => {
      const { append, fail, shown, take } = await setUpAccount()
      await append()
      const failed = await fail()
      await shown(await append())
      expect(eventIds(await take(1, { since: new Date(0), types }))).toEqual([failed])
    },
  )

  it('continues after failures and 429 without missing or repeating an event', async () => {
    const { append, shown, take } = await setUpAccount({ maxRetries: 0 })
    const after = await append()
    const ids = [await append(), await append()]
    await shown(ids[1] ?? '')
    const retries: { status: number | undefined; code: string; waitMs: number }[] = []
    const onRetry: FollowOptions['onRetry'] = ({ status, code }, waitMs) =>
      void retries.push({ status, code, waitMs })
    const limited = { status: 429, headers: { 'Retry-After': '2' } }
    t.front.failNext('lose-response', limited, { status: 503, body: 'a proxy' })
    expect(eventIds(await take(2, { after, onRetry }))).toEqual(ids)
    expect(retries).toEqual([
      { status: undefined, code: 'connection_failed', waitMs: 1000 },
      { status: 429, code: 'unknown_error', waitMs: 2000 },
      { status: 503, code: 'unknown_error', waitMs: 4000 },
    ])
  })

  it('throws permanent errors: a cursor of another account, a refused key', async () => {
    const { take } = await setUpAccount()
    const after = `evt_${'0'.repeat(32)}`
    await expect(take(1, { after })).rejects.toMatchObject({ status: 422 })
    const refused = t.clientWith({ apiKey: 'rg_live_unknown' }).events.follow()
    await expect(refused.next()).rejects.toMatchObject({ status: 401 })
  })

  it('ends when its signal aborts during a wait', async () => {
    const { take, isWaiting } = await setUpAccount()
    const stop = new AbortController()
    const before = t.front.seen.length
    const taking = take(1, { signal: stop.signal })
    await isWaiting(before)
    stop.abort(new Error('enough'))
    await expect(taking).rejects.toThrow('enough')
  })
})
