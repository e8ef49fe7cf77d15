import pg from 'pg'
import { createAccount } from '../../commands/accounts/create-account.ts'
import { openDatabase, type Database } from '../../db/database.ts'
import { migrate } from '../../db/migrate.ts'
import { PLAYBACK_RECORDS } from '../../db/partitions/partitioned-tables.ts'
import { keepPartitions } from '../../db/partitions/write-partitions.ts'
import { olderThan } from '../../db/upkeep/write-expired-records.ts'
import { parseMasterKeys } from '../../security/sealing/sealing.ts'
import { recordHeartbeat } from '../../test/fixtures/record-heartbeat.ts'
import { insertVideoFixture } from '../../test/fixtures/video-rows.ts'
import { asInformation, atMost, type Figure } from '../figure.ts'
import { requireDisk } from '../require-disk.ts'
import { openBenchServers } from '../servers.ts'
import { fillMonths, sessionsOf } from './fill-month.ts'

const ROWS = 1_000_000
const DISK_GB = 3
const BATCH_ROWS = 1_000
const WRITERS = 4
/** A purge of a month may take this long, and a heartbeat beside it. */
const SECONDS_MAX = 5
const WAIT_MAX_MS = 1_000

/**
 * Measures the retention of a month of playback sessions: the deletion of its rows in batches, as the purge did, and the
 * drop of its partition, each beside heartbeats. Says how long these waited at most.
 */
export async function benchPurge(): Promise<Figure[]> {
  const servers = await openBenchServers('purge', [])
  await requireDisk(servers.folder, DISK_GB)
  await migrate(servers.databaseUrl)
  const db = await openDatabase({ url: servers.databaseUrl })
  const client = new pg.Client({ connectionString: servers.databaseUrl })
  try {
    await client.connect()
    const keys = parseMasterKeys(servers.masterKey)
    const account = { name: 'Bench', protection: 'clearkey' } as const
    const accountId = await createAccount(db.em.fork(), keys, account)
    const videoId = await insertVideoFixture(db, { accountId, status: 'ready' })
    const filled = sessionsOf(PLAYBACK_RECORDS, { accountId, videoId })
    console.error(`  … filling two months of ${ROWS} rows`)
    const [deleted] = await fillMonths(client, filled, 'playback_session', ROWS)
    await client.query(
      `create table playback_record_bench_now partition of playback_record
       for values from (date_trunc('month', now())) to (date_trunc('month', now()) + interval '1 month')`,
    )
    return await measure(db, { accountId, videoId }, deleted)
  } finally {
    await client.end()
    await db.close(true)
    await servers.close()
  }
}

interface Owner {
  accountId: number
  videoId: string
}

async function measure(db: Database, owner: Owner, deleted: string): Promise<Figure[]> {
  const alone = await besideHeartbeats(
    db,
    owner,
    () => new Promise((resolve) => setTimeout(resolve, 5_000)),
  )
  const deletion = await besideHeartbeats(db, owner, async () => {
    const deleteBatch = olderThan(deleted, 'started_at', 1)
    while ((await deleteBatch(db.em.fork(), BATCH_ROWS)) === BATCH_ROWS);
  })
  let dropped: string[] = []
  // The month whose rows are deleted is empty now, and dropped too.
  const drop = await besideHeartbeats(db, owner, async () => {
    ;({ dropped } = await keepPartitions(db, PLAYBACK_RECORDS, 365))
  })
  if (dropped.length !== 2) throw new Error(`dropped ${dropped.join()}`)
  return [
    atMost(`drop of a month of ${ROWS} playback sessions`, drop.seconds, 's', {
      most: SECONDS_MAX,
    }),
    asInformation('the deletion of its rows in batches', deletion.seconds, 's', {
      anchor: drop.seconds,
    }),
    atMost('longest heartbeat beside the drop', drop.waitedMs, 'ms', { most: WAIT_MAX_MS }),
    asInformation('longest heartbeat beside the deletion', deletion.waitedMs, 'ms', {
      anchor: alone.waitedMs,
    }),
    asInformation('longest heartbeat of five seconds without either', alone.waitedMs, 'ms'),
  ]
}

/** Runs `work` while four viewers send heartbeats without a pause; the longest of these says what waited. */
async function besideHeartbeats(
  db: Database,
  { accountId, videoId }: Owner,
  work: () => Promise<unknown>,
): Promise<{ seconds: number; waitedMs: number }> {
  let isOver = false
  let waitedMs = 0
  const beat = async (): Promise<void> => {
    const session = {
      sessionId: crypto.randomUUID(),
      videoId,
      accountId,
      viewerId: null,
      secretVersion: 1,
      refererHost: null,
      startedAtMs: Date.now(),
    }
    const report = { positionMs: 1, watchedMs: 1, bytesLoaded: 1 }
    while (!isOver) {
      const startedAt = performance.now()
      await recordHeartbeat(db, session, null, report)
      waitedMs = Math.max(waitedMs, performance.now() - startedAt)
    }
  }
  const beats = Promise.all(Array.from({ length: WRITERS }, beat))
  const startedAt = performance.now()
  try {
    await work()
  } finally {
    isOver = true
  }
  const seconds = (performance.now() - startedAt) / 1000
  await beats
  console.error(`  … ${seconds.toFixed(2)} s, longest heartbeat ${waitedMs.toFixed(0)} ms`)
  return { seconds, waitedMs }
}
