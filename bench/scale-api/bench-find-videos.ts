import { randomBytes } from 'node:crypto'
import { createAccount } from '../../commands/accounts/create-account.ts'
import { openDatabase, type Database } from '../../db/database.ts'
import { REQUEST_DEADLINES } from '../../db/deadlines.ts'
import { isStatementTimeout } from '../../db/errors.ts'
import { parseMasterKeys } from '../../security/sealing/sealing.ts'
import { reserveServerCore } from '../cores.ts'
import { asInformation, atMost, type Figure } from '../figure.ts'
import { percentile } from '../load.ts'
import { requireDisk } from '../require-disk.ts'
import { openBenchServers } from '../servers.ts'
import { createEmpty, fill, type FillTarget, type Size } from './fill.ts'
import { findsOf, MIXES, readTwoPages, type Find } from './finds.ts'

/** Eight of ten are of the measured account. */
const VIDEOS = Number(process.env.BENCH_VIDEOS ?? 1_250_000)
const SIZE: Size = { videos: VIDEOS, deliveries: 3_000, sessions: 3_000 }
const DISK_GB = 16

const RUNS = 20
/** From the newest. In other orders a filter may be anywhere, and is bounded as several filters are. */
const MOST_MS = 50
/** The limit of a statement, and what the process adds. */
const BOUND_MS = 3_000

/**
 * Measures the searches of the list of videos of an account with a million videos: each filter alone, within a folder, within a
 * status, and in other orders. What the limit of a statement ends counts with that time.
 */
export async function benchFindVideos(): Promise<Figure[]> {
  const cores = reserveServerCore()
  const servers = await openBenchServers('find-videos', cores.launcher)
  try {
    await requireDisk(servers.folder, DISK_GB)
    const url = await createEmpty(servers.databaseUrl, 'found')
    const target = await makeAccounts(url)
    const bytes = await fill(target, SIZE)
    const db = await openDatabase({ url, poolSize: 1, deadlines: REQUEST_DEADLINES })
    try {
      return [
        asInformation(`database of ${VIDEOS} videos`, bytes / 1e9, 'GB'),
        ...(await measureFinds(db, target)),
      ]
    } finally {
      await db.close(true)
    }
  } finally {
    await servers.close()
    cores.release()
  }
}

async function measureFinds(db: Database, { accountIds: [large] }: FillTarget): Promise<Figure[]> {
  const [row] = await db.em
    .fork()
    .execute<{ id: number }[]>('select min(id)::int as id from folder where account_id = ?', [
      large,
    ])
  const figures: Figure[] = []
  for (const find of findsOf(row?.id ?? 0)) {
    const p95 = percentile(await timesOf(db, large, find), 0.95)
    const most = find.sort === '-created' ? MOST_MS : BOUND_MS
    figures.push(atMost(`${find.name}, p95`, p95, 'ms', { most }))
    console.error(`  … ${find.name}: ${p95.toFixed(1)} ms`)
  }
  for (const find of MIXES) {
    const most = Math.max(...(await timesOf(db, large, find)))
    figures.push(atMost(`${find.name}, slowest`, most, 'ms', { most: BOUND_MS }))
    console.error(`  … ${find.name}: ${most.toFixed(1)} ms`)
  }
  return figures
}

async function timesOf(db: Database, accountId: number, find: Find): Promise<number[]> {
  const times: number[] = []
  const timed = async <T>(read: () => Promise<T>): Promise<T> => {
    const startedAt = performance.now()
    try {
      return await read()
    } finally {
      times.push(performance.now() - startedAt)
    }
  }
  for (let run = 0; run < RUNS; run += 1)
    await readTwoPages(db.em.fork(), accountId, find, timed).catch((error: unknown) => {
      if (!isStatementTimeout(error)) throw error
    })
  return times
}

async function makeAccounts(url: string): Promise<FillTarget> {
  const masterKeys = parseMasterKeys(randomBytes(32).toString('hex'))
  const db = await openDatabase({ url, poolSize: 1 })
  try {
    const account = (name: string) =>
      createAccount(db.em.fork(), masterKeys, {
        name,
        protection: 'clearkey',
        storageLimitBytes: null,
      })
    const accountIds = [
      await account('Large'),
      await account('Other'),
      await account('Small'),
    ] as const
    return { url, accountIds, facts: '{"kind":"video"}' }
  } finally {
    await db.close(true)
  }
}
