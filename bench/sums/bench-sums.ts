import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { foldDeltas } from '../../db/accounts/write-account-sums.ts'
import { openDatabase, type Database } from '../../db/database.ts'
import { migrate } from '../../db/migrate.ts'
import { parseMasterKeys } from '../../security/sealing/sealing.ts'
import { openOutsideHost } from '../../test/infrastructure/outside-host.ts'
import { NO_LIMIT } from '../api/fixture.ts'
import { reserveServerCore } from '../cores.ts'
import { asInformation, atMost, type Figure } from '../figure.ts'
import { percentile } from '../load.ts'
import { openBenchServers } from '../servers.ts'
import { addAccount, addReadyVideos, type LimitedAccount } from './fill.ts'
import { runIngests } from './run-ingests.ts'

const INGESTS = 30
const PER_SECOND = 5
const WARM_UP_SECONDS = 10
const SECONDS = 90
/** As the Schedule does. */
const FOLD_MS = 60_000
const ACCEPTED = 202

/**
 * Measures POST /v1/videos of an account with a million videos, a limit of storage and thirty ingests, and at the same time that of an
 * account without videos. About five minutes and 3 GB of disk.
 */
export async function benchSums(): Promise<Figure[]> {
  console.error('  … about five minutes, and 3 GB of disk in the temporary folder')
  const cores = reserveServerCore()
  const servers = await openBenchServers('sums', cores.launcher)
  await migrate(servers.databaseUrl)
  const db = await openDatabase({ url: servers.databaseUrl, poolSize: INGESTS + 2 })
  const source = join(servers.folder, 'video.mp4')
  await writeFile(source, Buffer.alloc(1_000))
  const host = await openOutsideHost(servers.folder, { 'video.mp4': source })
  try {
    const keys = parseMasterKeys(servers.masterKey)
    const [large, empty] = [await addAccount(db, keys), await addAccount(db, keys)]
    await addReadyVideos(db, large.id)
    const api = await servers.startService('api/server.ts', 'API_PORT', {
      API_REQUESTS_PER_MINUTE: NO_LIMIT,
      API_REQUESTS_PER_DAY: NO_LIMIT,
      EGRESS_CA_FILE: host.caFile,
      EGRESS_ALLOWED_NETWORKS: '127.0.0.0/8',
    })
    const post = (account: LimitedAccount, seconds: number) =>
      postVideos(api.baseUrl, account, `${host.baseUrl}/files/video.mp4`, seconds)
    return await measure(db, large, empty, post)
  } finally {
    await host.close()
    await db.close(true)
    await servers.close()
    cores.release()
  }
}

async function measure(
  db: Database,
  large: LimitedAccount,
  empty: LimitedAccount,
  post: (account: LimitedAccount, seconds: number) => Promise<Posts>,
): Promise<Figure[]> {
  const stopIngests = await runIngests(db, large.id, INGESTS)
  const stopFolds = foldEachMinute(db)
  await Promise.all([post(large, WARM_UP_SECONDS), post(empty, WARM_UP_SECONDS)])
  const [ofLarge, ofEmpty] = await Promise.all([post(large, SECONDS), post(empty, SECONDS)])
  const chunks = await stopIngests()
  await stopFolds()
  const beside = 'a million videos, beside its 30 ingests'
  const at = (share: number) => ({ anchor: percentile(ofEmpty.times, share) })
  return [
    atMost(`POST /v1/videos p99, ${beside}`, percentile(ofLarge.times, 0.99), 'ms', {
      ...at(0.99),
      most: 1.5,
    }),
    asInformation(`POST /v1/videos p50, ${beside}`, percentile(ofLarge.times, 0.5), 'ms', at(0.5)),
    atMost(`POST /v1/videos that failed, ${beside}`, ofLarge.failed, '', { most: 0 }),
    asInformation(
      `chunks recorded in a second, ${beside}`,
      chunks.length / (SECONDS + WARM_UP_SECONDS),
      '/s',
    ),
    asInformation(`record of a chunk p99, ${beside}`, percentile(chunks, 0.99), 'ms'),
  ]
}

function foldEachMinute(db: Database): () => Promise<void> {
  let last: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    last = last.then(() => foldDeltas(db.em.fork(), 10_000))
  }, FOLD_MS)
  return async () => {
    clearInterval(timer)
    await last
  }
}

interface Posts {
  /** Sorted, in milliseconds; also of those that failed. */
  times: number[]
  failed: number
}

/** Posts at a steady rate; each is timed from the moment it was due. */
async function postVideos(
  origin: string,
  { apiKey }: LimitedAccount,
  sourceUrl: string,
  seconds: number,
): Promise<Posts> {
  const pool = new Pool(origin, { connections: 64 })
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ source_url: sourceUrl })
  const startedAt = performance.now()
  const sent = Array.from({ length: PER_SECOND * seconds }, async (_, index) => {
    const dueAt = startedAt + (index * 1000) / PER_SECOND
    await sleep(Math.max(0, dueAt - performance.now()))
    const response = await pool.request({ path: '/v1/videos', method: 'POST', headers, body })
    await response.body.dump()
    return { time: performance.now() - dueAt, isAccepted: response.statusCode === ACCEPTED }
  })
  const posts = await Promise.all(sent)
  await pool.close()
  return {
    times: posts.map(({ time }) => time).toSorted((a, b) => a - b),
    failed: posts.filter(({ isAccepted }) => !isAccepted).length,
  }
}
