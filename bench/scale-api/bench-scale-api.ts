import { mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAccount } from '../../commands/accounts/create-account.ts'
import { openDatabase, type Database } from '../../db/database.ts'
import { Rendition } from '../../db/entities/video.ts'
import { parseMasterKeys } from '../../security/sealing/sealing.ts'
import { createStorage } from '../../storage/object-storage.ts'
import { ingestVideo } from '../../test/fixtures/ingest-video.ts'
import { makeSource } from '../../test/fixtures/sources.ts'
import { reserveServerCore } from '../cores.ts'
import { asInformation, atMost, type Figure } from '../figure.ts'
import { median } from '../load.ts'
import { requireDisk } from '../require-disk.ts'
import { openBenchServers, type BenchServers } from '../servers.ts'
import { isLarge, openExplained, type Reading } from './explain.ts'
import { createEmpty, fill, readRowBytes, type FillTarget, type Size } from './fill.ts'
import { measureProcesses } from './measure-processes.ts'
import { operationsOn, type Operation } from './operations.ts'

const SMALL: Size = { videos: 12_500, deliveries: 150_000, sessions: 150_000 }
const LARGE: Size = { videos: 1_250_000, deliveries: 15_000_000, sessions: 15_000_000 }

const DISK_GB = 45

/**
 * Indexes of a hundred times as many rows are one or two levels higher, and each level is one block of a look-up. An
 * inverted index (a part of a title) has two trees. What grows with the rows would read a hundred times as many.
 */
const MOST = 2.5
const RUNS = 11

/**
 * Measures what the same operations cost in a database with a hundred times as many rows, then one and two processes of
 * API and player on it. The cost is the number of blocks that PostgreSQL reads, which no other load changes.
 */
export async function benchScaleApi(): Promise<Figure[]> {
  const cores = reserveServerCore()
  const servers = await openBenchServers('scale-api', cores.launcher)
  try {
    await requireDisk(servers.folder, DISK_GB)
    const small = await fillOne(servers, 'small', SMALL)
    const large = await fillOne(servers, 'large', LARGE)
    const figures = compare(await measureAll(small.target), await measureAll(large.target))
    const rows = (await readRowBytes(large.target.url)).map(({ table, bytes }) =>
      asInformation(`bytes of a row: ${table}`, bytes, 'B'),
    )
    return [
      ...rows,
      ...small.figures,
      ...large.figures,
      ...figures,
      ...(await measureProcesses(servers, large.target)),
    ]
  } finally {
    await servers.close()
    cores.release()
  }
}

interface Cost extends Reading {
  operation: Operation
  milliseconds: number
}

async function measureAll(target: FillTarget): Promise<Cost[]> {
  const explained = await openExplained(target.url)
  const plain = await openDatabase({ url: target.url, poolSize: 1 })
  const costs: Cost[] = []
  try {
    for (const operation of await operationsOn(plain, target)) {
      const { name, run } = operation
      await run(explained.db)
      const reading = await explained.explain(() => run(explained.db))
      const milliseconds = await timeOf(plain, run)
      costs.push({ operation, ...reading, milliseconds })
      console.error(`  … ${name}: ${reading.blocks} blocks, ${milliseconds.toFixed(2)} ms`)
    }
    return costs
  } finally {
    await explained.close()
    await plain.close(true)
  }
}

async function timeOf(db: Database, run: Operation['run']): Promise<number> {
  const times: number[] = []
  for (let count = 0; count < RUNS; count += 1) {
    const startedAt = performance.now()
    await run(db)
    times.push(performance.now() - startedAt)
  }
  return median(times)
}

function compare(small: Cost[], large: Cost[]): Figure[] {
  const figures = large.flatMap((cost, index) => {
    const { name, aloneIndex, grows } = cost.operation
    const before = small[index]
    const anchor = { anchor: Math.max(1, before?.blocks ?? Number.NaN) }
    const rows = [
      grows === undefined
        ? atMost(name, cost.blocks, 'blocks', { ...anchor, most: MOST })
        : asInformation(name, cost.blocks, 'blocks', anchor),
      asInformation(`${name}, time`, cost.milliseconds, 'ms', {
        anchor: before?.milliseconds ?? null,
      }),
    ]
    if (aloneIndex !== undefined) {
      const readsRows = Number(!cost.aloneIndexes.includes(aloneIndex))
      rows.push(atMost(`${name}, rows read beside the index`, readsRows, '', { most: 0 }))
    }
    return rows
  })
  const scanned = new Set(large.flatMap((cost) => cost.scanned.filter(isLarge)))
  return [...figures, atMost(`large tables read as a whole`, scanned.size, '', { most: 0 })]
}

async function fillOne(
  { databaseUrl, masterKey, folder }: BenchServers,
  name: string,
  size: Size,
): Promise<{ target: FillTarget; figures: Figure[] }> {
  const url = await createEmpty(databaseUrl, name)
  const target = await makeAccounts(url, masterKey, join(folder, name))
  const startedAt = performance.now()
  const bytes = await fill(target, size)
  const seconds = (performance.now() - startedAt) / 1000
  console.error(`  … ${name}: filled in ${Math.round(seconds)} s, ${(bytes / 1e9).toFixed(2)} GB`)
  const row = `database of ${size.videos} videos, ${size.deliveries} deliveries, ${size.sessions} sessions`
  return { target, figures: [asInformation(row, bytes / 1e9, 'GB')] }
}

/** Makes three accounts, and ingests a video, whose rendition the others copy. */
async function makeAccounts(url: string, masterKey: string, folder: string): Promise<FillTarget> {
  const masterKeys = parseMasterKeys(masterKey)
  const db = await openDatabase({ url, poolSize: 4 })
  try {
    const em = db.em.fork()
    const account = (name: string) =>
      createAccount(em, masterKeys, { name, protection: 'clearkey', storageLimitBytes: null })
    const accountIds = [
      await account('Large'),
      await account('Other'),
      await account('Small'),
    ] as const
    await mkdir(folder, { recursive: true })
    const source = join(await mkdtemp(join(tmpdir(), 'reelgate-source-')), 'source.mp4')
    await makeSource(source, { seconds: 24, size: '640x360' })
    const storage = createStorage({ driver: 'folder', dir: folder })
    const workDir = join(folder, 'work')
    const videoId = await ingestVideo(source, {
      db,
      masterKeys,
      storage,
      workDir,
      accountId: accountIds[1],
    })
    const { facts } = await em.findOneOrFail(Rendition, { videoId, name: '360p' })
    return { url, accountIds, facts: JSON.stringify(facts) }
  } finally {
    await db.close(true)
  }
}
