import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_PLAYER_SETTINGS } from '../domain/settings/player-settings.ts'
import { createTestDatabase, type TestDatabase } from '../test/infrastructure/services.ts'
import { insertAccount } from './accounts/write-accounts.ts'
import { openDatabase, type Database } from './database.ts'
import { RevokedViewer } from './entities/account.ts'
import { queries } from './queries.ts'

let database: TestDatabase
let db: Database
let accountId: number

beforeAll(async () => {
  database = await createTestDatabase()
  db = await openDatabase({ url: database.url, poolSize: 2 })
  accountId = await insertAccount(db.em.fork(), {
    name: 'typed',
    protection: 'clearkey',
    storageLimitBytes: 2 ** 40,
    sealSigningSecret: () => 'sealed',
  })
})
afterAll(async () => {
  await db.close(true)
  await database.drop()
})

const viewerIds = async () =>
  (await db.em.fork().find(RevokedViewer, { accountId })).map(({ viewerId }) => viewerId)

describe('a typed query', () => {
  it('reads columns under the names of the properties, with the types that the entity declares', async () => {
    const row = await queries(db.em.fork())
      .selectFrom('account as a')
      .innerJoin('plan as p', 'p.accountId', 'a.id')
      .select(({ fn }) => [
        'a.settings',
        'a.createdAt',
        'p.isActive',
        'p.storageLimitBytes',
        'p.endsAt',
        fn.countAll<number>().over().as('rowCount'),
      ])
      .executeTakeFirstOrThrow()
    expect(row).toEqual({
      settings: DEFAULT_PLAYER_SETTINGS,
      createdAt: expect.any(Date),
      isActive: true,
      storageLimitBytes: 2 ** 40,
      endsAt: null,
      rowCount: 1,
    })
  })

  it('runs in the transaction of its EntityManager', async () => {
    const revoke = (em: Database['em'], viewerId: string) =>
      queries(em).insertInto('revoked_viewer').values({ accountId, viewerId }).execute()
    const rolledBack = db.em.fork().transactional(async (tx) => {
      await revoke(tx, 'rolled-back')
      throw new Error('rolled back')
    })
    await expect(rolledBack).rejects.toThrow('rolled back')
    await db.em.fork().transactional((tx) => revoke(tx, 'committed'))
    expect(await viewerIds()).toEqual(['committed'])
  })

  it('ends at the deadline of a statement', async () => {
    const deadlines = { connectMs: 5_000, statementMs: 100 }
    const hurried = await openDatabase({ url: database.url, poolSize: 1, deadlines })
    const sleep = sql`select pg_sleep(5)`.execute(queries(hurried.em.fork()))
    await expect(sleep).rejects.toMatchObject({ code: '57014' })
    await hurried.close(true)
  })
})
