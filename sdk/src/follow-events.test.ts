import { describe, expect, it } from '@jest/globals'
import { appendEvent } from '../../commands/events.ts'
import { waitFor } from '../../test/infrastructure/wait-for.ts'
import { setUpSdkFixture } from '../../test/fixtures/sdk.ts'
import type { FollowOptions, ReelgateOptions, WebhookEvent } from './index.ts'

const t = setUpSdkFixture()
const VIDEO_ID = 'a'.repeat(20)

/** A client of an account of its own, and what it takes to make events there. */
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

const idsOf = (events: WebhookEvent[]): string[] => events.map(({ id }) => id)

describe('following the events', () => {
  it('tells what comes from now on, once and in order', async () => {
    const { append, shown, take, isWaiting } = await setUpAccount()
    await shown(await append())
    const before = t.front.seen.length
    const taking = take(3)
    await isWaiting(before)
    const ids = [await append(), await append(), await append()]
    expect(idsOf(await taking)).toEqual(ids)
  })

  it('begins with the first event of an account that has none', async () => {
    const { append, take, isWaiting } = await setUpAccount()
    const before = t.front.seen.length
    const taking = take(2)
    await isWaiting(before)
    const ids = [await append(), await append()]
    expect(idsOf(await taking)).toEqual(ids)
  })

  it('goes on behind an event, and begins at a time', async () => {
    const { append, shown, take } = await setUpAccount()
    const ids: string[] = []
    for (let count = 0; count < 5; count += 1) ids.push(await append())
    await shown(ids[4] ?? '')
    expect(idsOf(await take(3, { after: ids[1] }))).toEqual(ids.slice(2))
    const events = await take(5, { since: new Date(0) })
    expect(idsOf(events)).toEqual(ids)
    const since = new Date(events[3]?.created_at ?? '')
    expect(idsOf(await take(1, { since }))).not.toContain(ids[2])
  })

  it('reads more than a page of history', async () => {
    const { append, shown, take } = await setUpAccount()
    const ids: string[] = []
    for (let count = 0; count < 120; count += 1) ids.push(await append())
    await shown(ids.at(-1) ?? '')
    expect(idsOf(await take(120, { since: new Date(0) }))).toEqual(ids)
  })

  it.each([[['video.failed']], [['video.failed', 'video.ready']]] as const)(
    'tells of %j alone',
    async (types) => {
      const { append, fail, shown, take } = await setUpAccount()
      await append()
      const failed = await fail()
      await shown(await append())
      expect(idsOf(await take(1, { since: new Date(0), types }))).toEqual([failed])
    },
  )

  it('outlasts failures and 429 without missing or repeating an event', async () => {
    const { append, shown, take } = await setUpAccount({ maxRetries: 0 })
    const after = await append()
    const ids = [await append(), await append()]
    await shown(ids[1] ?? '')
    const retries: { status: number | undefined; code: string; waitMs: number }[] = []
    const onRetry: FollowOptions['onRetry'] = ({ status, code }, waitMs) =>
      void retries.push({ status, code, waitMs })
    const limited = { status: 429, headers: { 'Retry-After': '2' } }
    t.front.failNext('lose-answer', limited, { status: 503, body: 'a proxy' })
    expect(idsOf(await take(2, { after, onRetry }))).toEqual(ids)
    expect(retries).toEqual([
      { status: undefined, code: 'connection_failed', waitMs: 1000 },
      { status: 429, code: 'unknown_error', waitMs: 2000 },
      { status: 503, code: 'unknown_error', waitMs: 4000 },
    ])
  })

  it('throws what does not pass: a cursor of another account, a refused key', async () => {
    const { take } = await setUpAccount()
    const after = `evt_${'0'.repeat(32)}`
    await expect(take(1, { after })).rejects.toMatchObject({ status: 422 })
    const refused = t.clientWith({ apiKey: 'rg_live_unknown' }).events.follow()
    await expect(refused.next()).rejects.toMatchObject({ status: 401 })
  })

  it('ends with its signal, in the middle of a wait', async () => {
    const { take, isWaiting } = await setUpAccount()
    const stop = new AbortController()
    const before = t.front.seen.length
    const taking = take(1, { signal: stop.signal })
    await isWaiting(before)
    stop.abort(new Error('enough'))
    await expect(taking).rejects.toThrow('enough')
  })
})
