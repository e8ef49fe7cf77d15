import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openDatabaseFixture, type DatabaseFixture } from '../../test/fixtures/database.ts'
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
