import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { openDatabase, type Database } from '../../db/database.ts'
import { migrate } from '../../db/migrate.ts'
import { DELIVERY_TABLES } from '../../db/partitions/delivery-tables.ts'
import { keepPartitions } from '../../db/partitions/write-partitions.ts'
import { deleteDeliveries } from '../../db/upkeep/write-retention.ts'
import { DEFAULT_RETENTION } from '../../domain/retention.ts'
import { asInformation, atMost, type Figure } from '../figure.ts'
import { openBenchServers } from '../servers.ts'
import { fillWeeks, mondaysOfMonth } from './fill-weeks.ts'

/** A month. `npm run bench -- purge-deliveries` needs 8 GB of disk for it. */
const DELIVERIES = Number(process.env.BENCH_DELIVERIES ?? 10_000_000)
/** How many are deleted one by one, as before the partitions, to compare. */
const ONE_BY_ONE = 20_000
const BATCH_ROWS = 500

/**
 * Measures the purge of a month of deliveries, and how long deliveries that are written meanwhile wait, beside the
 * deletion of some of them one by one.
 */
export async function benchDeliveryPurge(): Promise<Figure[]> {
  console.error(`  … fills ${DELIVERIES} deliveries: ${(DELIVERIES * 800) / 1e9} GB of disk`)
  const servers = await openBenchServers('purge', [])
  await migrate(servers.databaseUrl)
  const client = new pg.Client({ connectionString: servers.databaseUrl })
  const db = await openDatabase({ url: servers.databaseUrl, poolSize: 4 })
  try {
    await client.connect()
    const bytes = await fillWeeks(client, mondaysOfMonth(Date.now()), DELIVERIES)
    await client.query('checkpoint')
    const perSecond = await deleteOneByOne(db)
    return [
      ...(await purge(db, perSecond)),
      asInformation('deliveries and attempts', bytes / 1e9, 'GB'),
    ]
  } finally {
    await client.end()
    await db.close(true)
    await servers.close()
  }
}

async function deleteOneByOne(db: Database): Promise<number> {
  const startedAt = performance.now()
  for (let first = 1; first < ONE_BY_ONE; first += BATCH_ROWS)
    await deleteDeliveries(
      db.em.fork(),
      Array.from({ length: BATCH_ROWS }, (_, index) => first + index),
    )
  return ONE_BY_ONE / ((performance.now() - startedAt) / 1000)
}

async function purge(db: Database, perSecond: number): Promise<Figure[]> {
  const writes = startWrites(db)
  const startedAt = performance.now()
  let dropped = 0
  for (const { partitioned, keptDays } of DELIVERY_TABLES) {
    const beganAt = performance.now()
    dropped += (await keepPartitions(db, partitioned, keptDays(DEFAULT_RETENTION))).dropped.length
    console.error(`  … ${partitioned.table}: ${Math.round(performance.now() - beganAt)} ms`)
  }
  const seconds = (performance.now() - startedAt) / 1000
  const { longestMs, count } = await writes.stop()
  if (dropped !== 8) throw new Error(`${dropped} partitions were dropped in place of 8`)
  const anchor = (DELIVERIES - ONE_BY_ONE) / perSecond
  return [
    atMost(`purge of ${DELIVERIES} deliveries`, seconds, 's', { most: 5 }),
    asInformation(`the same one by one, from ${ONE_BY_ONE} of them`, anchor, 's'),
    atMost(`longest of ${count} writes meanwhile`, longestMs / 1000, 's', { most: 0.5 }),
  ]
}

/** Writes and ends deliveries until `stop`, which resolves to the longest time of one. */
function startWrites(db: Database) {
  let isStopped = false
  let longestMs = 0
  let count = 0
  const write = async (): Promise<void> => {
    while (!isStopped) {
      const startedAt = performance.now()
      await db.em.fork().execute(
        `with made as (insert into webhook_delivery (account_id, endpoint_id, event_id, event_type, status, completed_at)
           values (1, 1, 'evt_of_now', 'video.ready', 'delivered', now()) returning id)
         select id from made union all (select id from webhook_delivery where account_id = 1 order by id desc limit 20)`,
      )
      longestMs = Math.max(longestMs, performance.now() - startedAt)
      count += 1
      await sleep(5)
    }
  }
  const running = write()
  return {
    stop: async () => {
      isStopped = true
      await running
      return { longestMs, count }
    },
  }
}
