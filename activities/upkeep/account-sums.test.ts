import { MockActivityEnvironment } from '@temporalio/testing'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSums } from '../../db/accounts/account-sums.ts'
import { insertAccount } from '../../db/accounts/write-accounts.ts'
import { openDatabase, type Database } from '../../db/database.ts'
import { sumDrifts } from '../../metrics/ingest.ts'
import { createSdkLogger } from '../../temporal/sdk-logger.ts'
import { insertVideoFixture } from '../../test/fixtures/video-rows.ts'
import { countedSince } from '../../test/infrastructure/counted.ts'
import { followAlert } from '../../test/infrastructure/follow-alert.ts'
import { createTestDatabase, type TestDatabase } from '../../test/infrastructure/services.ts'
import { withDeps } from '../deps.ts'
import { checkSums, foldSums, type CheckResult } from './account-sums.ts'

let testDatabase: TestDatabase
let db: Database

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  db = await openDatabase({ url: testDatabase.url })
})
afterAll(async () => {
  await db.close(true)
  await testDatabase.drop()
})

const execute = (query: string) => db.em.fork().execute<{ id: number }[]>(query)

/** Adds an account with a video that reserves `reservedBytes`. */
async function addAccount(reservedBytes: number): Promise<number> {
  const accountId = await insertAccount(db.em.fork(), {
    name: 'Test',
    protection: 'clearkey',
    storageLimitBytes: null,
    sealSigningSecret: () => 'sealed',
  })
  await insertVideoFixture(db, { accountId, reservedBytes })
  return accountId
}

const reservedOf = async (accountId: number) =>
  (await readSums(db.em.fork(), accountId)).reservedBytes

const fold = () => new MockActivityEnvironment().run(withDeps({ db }, foldSums))

/** Runs a check, and returns its result with the lines of the worker. */
async function check(heartbeatDetails?: unknown) {
  const lines: string[] = []
  const logger = createSdkLogger(pino({}, { write: (line: string) => void lines.push(line) }))
  const environment = new MockActivityEnvironment({ heartbeatDetails }, { logger })
  const checking = withDeps({ db }, checkSums)
  return { ...(await environment.run<[], CheckResult, typeof checking>(checking)), lines }
}

describe('the fold of each minute', () => {
  it('adds up what has changed, and counts the accounts from before the sums', async () => {
    const [kept, former] = [await addAccount(700), await addAccount(900)]
    await execute(`delete from account_sum where account_id = ${former}`)
    expect(await fold()).toEqual({ deltas: 2, counted: 1 })
    expect(await execute('select account_id from account_sum_delta')).toEqual([])
    expect([await reservedOf(kept), await reservedOf(former)]).toEqual([700, 900])
    expect(await fold()).toEqual({ deltas: 0, counted: 0 })
  })
})

describe('the check of each night', () => {
  it('repairs sums that are wrong, counts them, and continues where an attempt was killed', async () => {
    const [first, second] = [await addAccount(1), await addAccount(2)]
    await execute('update account_sum set reserved_bytes = reserved_bytes + 40')
    const drifts = await countedSince(sumDrifts)
    const later = await check({ lastAccountId: first, repaired: 5 })
    expect(later).toMatchObject({ lastAccountId: second, repaired: 6 })
    expect([await reservedOf(first), await reservedOf(second)]).toEqual([41, 2])
    expect(await drifts()).toEqual({ '': 1 })
    const found = await followAlert('ReelgateSumsDrift', { worker: later.lines })
    const drift = { reserved_bytes: 40 }
    expect(JSON.parse(found)).toMatchObject({ accountId: second, drift })
    await check()
    expect(await reservedOf(first)).toBe(1)
    expect(await check()).toMatchObject({ repaired: 0, lines: [] })
  })
})
