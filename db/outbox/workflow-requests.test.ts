import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openDatabaseFixture, type DatabaseFixture } from '../../test/fixtures/database.ts'
import type { EntityManager } from '../database.ts'
import { OUTBOX_CHANNEL } from './workflow-requests.ts'
import { claimDueRequests, requestWorkflows } from './write-workflow-requests.ts'

let t: DatabaseFixture

beforeAll(async () => void (t = await openDatabaseFixture()))
beforeEach(() => t.execute('delete from outbox'))
afterAll(() => t.close())

const add = (accountId: number, count: number) =>
  requestWorkflows(
    t.em(),
    Array.from({ length: count }, (_, number) => ({
      command: 'delete-video',
      subjectId: `video-${accountId}-${number}`,
      accountId,
    })),
  )
const claim = async (limit: number) =>
  (await claimDueRequests(t.em(), limit, 60_000)).map(({ accountId }) => accountId)

describe('the requests of a batch', () => {
  it('are of all accounts in turns, so that no account waits for the thousands of another', async () => {
    await add(1, 1_000)
    await add(2, 3)
    await add(3, 1)
    expect((await claim(64)).slice(0, 8)).toEqual([1, 2, 3, 1, 2, 1, 2, 1])
    expect(new Set(await claim(64))).toEqual(new Set([1]))
  })

  it('of an account are not those of its thousand deletions, if it has a video or a delivery', async () => {
    await add(1, 1_000)
    await requestWorkflows(t.em(), [
      { command: 'ingest-video', subjectId: 'new', accountId: 1 },
      { command: 'deliver-webhook', subjectId: '7', accountId: 1 },
    ])
    const batch = await claimDueRequests(t.em(), 8, 60_000)
    expect(batch.slice(0, 2).map(({ command }) => command)).toEqual([
      'ingest-video',
      'deliver-webhook',
    ])
    expect(batch.length).toBeGreaterThan(2)
  })

  it('have a deletion that has waited a minute, however many videos are added meanwhile', async () => {
    await add(1, 1)
    await t.execute(`update outbox set due_at = now() - interval '1 minute'`)
    for (let account = 2; account <= 41; account += 1)
      await requestWorkflows(t.em(), [
        { command: 'ingest-video', subjectId: `video-${account}`, accountId: account },
      ])
    const [first] = await claimDueRequests(t.em(), 8, 60_000)
    expect(first?.command).toBe('delete-video')
  })

  it('are claimed once, oldest first within an account, until none is left', async () => {
    await add(1, 150)
    await add(2, 10)
    const claimed: string[] = []
    for (;;) {
      const batch = await claimDueRequests(t.em(), 64, 60_000)
      if (batch.length === 0) break
      expect(batch.length).toBeLessThanOrEqual(64)
      claimed.push(...batch.map(({ subjectId }) => subjectId))
    }
    expect(new Set(claimed).size).toBe(160)
    const numbers = claimed
      .filter((id) => id.startsWith('video-1-'))
      .map((id) => Number(id.slice(8)))
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
  })

  it('have one of each of more accounts than fit, and the others come next', async () => {
    for (let account = 1; account <= 40; account += 1) await add(account, 5)
    expect(new Set(await claim(30)).size).toBe(30)
    expect(new Set(await claim(30)).size).toBeGreaterThan(9)
  })
})

describe('the relays are notified', () => {
  /** Runs `work`, and returns how many notifications a listener got up to the one that marks its end. */
  async function notificationsDuring(work: () => Promise<unknown>): Promise<number> {
    const client = new pg.Client({ connectionString: t.databaseUrl })
    await client.connect()
    try {
      let count = 0
      const { promise: ended, resolve } = Promise.withResolvers<void>()
      client.on('notification', ({ payload }) => (payload === 'end' ? resolve() : (count += 1)))
      await client.query(`listen ${OUTBOX_CHANNEL}`)
      await work()
      // Longer than a process collects what it has committed.
      await sleep(100)
      await client.query(`select pg_notify('${OUTBOX_CHANNEL}', 'end')`)
      await ended
      return count
    } finally {
      await client.end()
    }
  }

  const request = (em: EntityManager) =>
    requestWorkflows(em, [{ command: 'delete-video', subjectId: 'video', accountId: 1 }])

  it('once for many requests that are committed together, and after their commit', async () => {
    const count = await notificationsDuring(() =>
      t.em().transactional(async (tx) => {
        for (let n = 0; n < 20; n += 1) await tx.transactional(request)
      }),
    )
    expect(count).toBe(1)
  })

  it('seldom by a process that commits often', async () => {
    const commits = 200
    const count = await notificationsDuring(() =>
      Promise.all(Array.from({ length: commits }, () => t.em().transactional(request))),
    )
    expect(count).toBeGreaterThan(0)
    expect(count).toBeLessThan(commits / 4)
  })

  it('not for a transaction that is rolled back', async () => {
    const rollBack = () =>
      t.em().transactional(async (tx) => {
        await request(tx)
        throw new Error('no commit')
      })
    const count = await notificationsDuring(() => expect(rollBack()).rejects.toThrow('no commit'))
    expect(count).toBe(0)
  })
})
