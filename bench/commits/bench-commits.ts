import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { createAccount } from '../../commands/accounts/create-account.ts'
import { openDatabase, type Database, type EntityManager } from '../../db/database.ts'
import { migrate } from '../../db/migrate.ts'
import { OUTBOX_CHANNEL } from '../../db/outbox/workflow-requests.ts'
import { requestWorkflows } from '../../db/outbox/write-workflow-requests.ts'
import { insertEvents } from '../../db/webhooks/write-events.ts'
import { parseMasterKeys } from '../../security/sealing/sealing.ts'
import { asInformation, pairsAsInformation, pairsAtLeast, type Figure } from '../figure.ts'
import { median } from '../load.ts'
import { newEvent } from '../new-event.ts'
import { pairUp } from '../pairs.ts'
import { openBenchServers, type BenchServers } from '../servers.ts'
import { startsPerSecond } from './relay-starts.ts'

const CONNECTIONS = 64
const ROUNDS = 5
const WARM_UP_ROUNDS = 1
const ROUND_MS = 4_000

/** What a transaction of a round does after it has written its event. */
type Request = (tx: EntityManager, accountId: number) => Promise<unknown>

const insertRequest = (tx: EntityManager, accountId: number) =>
  tx.execute(
    `insert into outbox (command, subject_id, account_id, due_at)
     values ('delete-video', ?, ?, 'infinity')`,
    [randomBytes(10).toString('hex'), accountId],
  )

/** The same row in three ways: without any notification, as the product writes it, and with a notification in the transaction. */
const WAYS: Record<string, Request> = {
  none: insertRequest,
  product: (tx, accountId) =>
    requestWorkflows(tx, [
      { command: 'delete-video', subjectId: randomBytes(10).toString('hex'), accountId },
    ]),
  inside: async (tx, accountId) => {
    await insertRequest(tx, accountId)
    await tx.execute(`select pg_notify('${OUTBOX_CHANNEL}', '')`)
  },
}

/**
 * Measures how many transactions with an event and a workflow request commit in a second over 64 connections, with
 * synchronous commits and a listener, beside the same without any notification.
 */
export async function benchCommits(): Promise<Figure[]> {
  return withDatabase(async ({ db, accountId, servers }) => {
    const figures = await measure(db, accountId)
    const starts = await startsPerSecond(db, accountId, servers)
    return [...figures, asInformation('workflows that one relay starts', starts, '/s')]
  })
}

/** What all workers of an installation share, on this machine. */
export interface RecordLimits {
  /** Transactions with an event and a workflow request over 64 connections. */
  commitsPerSecond: number
  /** Workflows that one relay starts, without any worker. */
  startsPerSecond: number
}

/** Measures the limits once. */
export const measureLimits = (): Promise<RecordLimits> =>
  withDatabase(async ({ db, accountId, servers }) => ({
    commitsPerSecond: await commitsPerSecond(db, accountId, insertRequest),
    startsPerSecond: await startsPerSecond(db, accountId, servers),
  }))

interface BenchDatabase {
  db: Database
  accountId: number
  servers: BenchServers
}

async function withDatabase<T>(work: (bench: BenchDatabase) => Promise<T>): Promise<T> {
  const servers = await openBenchServers('commits', [])
  await migrate(servers.databaseUrl)
  const db = await openDatabase({ url: servers.databaseUrl, poolSize: CONNECTIONS })
  const listener = new pg.Client({ connectionString: servers.databaseUrl })
  try {
    await listener.connect()
    await listener.query(`listen ${OUTBOX_CHANNEL}`)
    const keys = parseMasterKeys(servers.masterKey)
    const accountId = await createAccount(db.em.fork(), keys, {
      name: 'Bench',
      protection: 'clearkey',
    })
    return await work({ db, accountId, servers })
  } finally {
    await listener.end()
    await db.close(true)
    await servers.close()
  }
}

async function measure(db: Database, accountId: number): Promise<Figure[]> {
  const rates: Record<string, number[]> = { none: [], product: [], inside: [] }
  for (let round = 1 - WARM_UP_ROUNDS; round <= ROUNDS; round += 1)
    for (const [way, request] of Object.entries(WAYS)) {
      const rate = await commitsPerSecond(db, accountId, request)
      if (round > 0) rates[way]?.push(rate)
      console.error(`  … ${way}: ${Math.round(rate)} commits/s`)
      await db.em.fork().execute('truncate outbox, event cascade')
    }
  const pairsOf = (way: string) => pairUp(rates[way] ?? [], rates.none ?? [])
  return [
    pairsAtLeast(
      'commits with an event and a workflow request, 64 connections',
      pairsOf('product'),
      '/s',
      0.9,
    ),
    pairsAsInformation('the same with a notification in each transaction', pairsOf('inside'), '/s'),
    asInformation('commits of PostgreSQL', median(rates.none ?? []), '/s'),
  ]
}

async function commitsPerSecond(
  db: Database,
  accountId: number,
  request: Request,
): Promise<number> {
  const startedAt = performance.now()
  let count = 0
  const commit = async (): Promise<void> => {
    while (performance.now() - startedAt < ROUND_MS) {
      await db.em.fork().transactional(async (tx) => {
        await insertEvents(tx, [newEvent(accountId)])
        await request(tx, accountId)
      })
      count += 1
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, commit))
  return count / ((performance.now() - startedAt) / 1000)
}
