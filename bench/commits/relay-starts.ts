import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from '@temporalio/client'
import { NativeConnection } from '@temporalio/worker'
import { pino } from 'pino'
import type { Database } from '../../db/database.ts'
import { requestWorkflows } from '../../db/outbox/write-workflow-requests.ts'
import { startRelay } from '../../outbox/relay.ts'
import { ensureTemporalServer } from '../../scripts/bootstrap/tools.mjs'
import { startGuard } from '../../scripts/embedded/guard.ts'
import { freePort } from '../../scripts/embedded/ports.ts'
import { openRotatingLog } from '../../scripts/embedded/rotating-log.ts'
import { startTemporal } from '../../scripts/embedded/temporal.ts'
import { DEFAULT_NAMESPACES } from '../../scripts/temporal-namespace.ts'
import type { BenchServers } from '../servers.ts'

const REQUESTS = 2_000
const POLL_MS = 20

/** Returns how many workflows one relay starts in a second: from its first claim until the outbox is empty. No worker runs them. */
export async function startsPerSecond(
  db: Database,
  accountId: number,
  { folder, databaseUrl }: BenchServers,
): Promise<number> {
  const temporal = await startTemporal({
    program: await ensureTemporalServer(),
    dataDir: folder,
    guard: startGuard(),
    port: await freePort(),
    uiPort: null,
    log: openRotatingLog(join(folder, 'temporal.log')),
  })
  const connection = await NativeConnection.connect({ address: temporal.address })
  const client = new Client({ connection })
  const logger = pino({ level: 'silent' })
  try {
    // What the measurement of commits has left waits for ever.
    await db.em.fork().execute('truncate outbox')
    await request(db, accountId, REQUESTS)
    const deliveriesNamespace = DEFAULT_NAMESPACES.deliveries
    const relay = await startRelay({ db, databaseUrl, client, deliveriesNamespace, logger })
    await untilLeft(db, REQUESTS - 1)
    const startedAt = performance.now()
    await untilLeft(db, 0)
    const seconds = (performance.now() - startedAt) / 1000
    await relay.stop()
    return REQUESTS / seconds
  } finally {
    await connection.close()
    await temporal.stop()
  }
}

async function request(db: Database, accountId: number, count: number): Promise<void> {
  const requests = Array.from({ length: count }, () => ({
    command: 'delete-video' as const,
    subjectId: randomBytes(10).toString('hex'),
    accountId,
  }))
  await db.em.fork().transactional((tx) => requestWorkflows(tx, requests))
}

async function untilLeft(db: Database, most: number): Promise<void> {
  for (;;) {
    const [row] = await db.em
      .fork()
      .execute<{ count: number }[]>('select count(*)::int as count from outbox')
    if (row && row.count <= most) return
    await sleep(POLL_MS)
  }
}
