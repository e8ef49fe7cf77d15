import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import pLimit from 'p-limit'
import { pingForBackup } from '../../db/backup/connection.ts'
import { finishLoad, loadDump } from '../../db/backup/load-dump.ts'
import { withScratchDatabase } from '../../db/backup/scratch-database.ts'
import { readVideosWithMedia } from '../../db/backup/videos.ts'
import { openDatabase, type Database, type EntityManager } from '../../db/database.ts'
import { SEALED_KINDS } from '../../db/secrets/sealed-columns.ts'
import { findValuesNotUnder } from '../../db/secrets/sealed-values.ts'
import { checkMasterKeys } from '../../processes/open-master-keys.ts'
import { unseal, type MasterKeys } from '../../security/sealing/sealing.ts'
import { contextOf } from '../../security/sealing/secret-contexts.ts'
import { assertMasterKeys } from './assert-master-keys.ts'
import { objectListOf, openBackup, type OpenedBackup } from './backup-folder.ts'
import { drillVideo } from './drill-video.ts'
import { describeFailure } from './errors.ts'
import { amendLoaded, dumpOf } from './load-backup.ts'
import type { Manifest } from './manifest.ts'
import { openCursor } from './object-list.ts'
import { throttled } from './throttled.ts'

export interface DrillOptions {
  dir: string
  name?: string | undefined
  /** A server where a scratch database can be made; the database that it names is not changed. */
  databaseUrl: string
  masterKeys: MasterKeys
  note: (line: string) => void
}

interface DrilledVideo {
  id: string
  /** How many segments were decrypted. */
  segments: number
  /** Null if all is well. */
  problem: string | null
}

export interface DrillResult {
  manifest: Manifest
  sealedValues: number
  videos: DrilledVideo[]
}

/**
 * Restores a backup into a scratch database, opens every sealed value, and decrypts the first and the last segment of
 * each rendition of each video from the backup. Storage and database of the installation are not changed. Throws as
 * a restore does; a video that fails is part of the result.
 */
export const drillBackup = (options: DrillOptions): Promise<DrillResult> =>
  describeFailure(drill(options))

async function drill({ dir, name, databaseUrl, masterKeys, note }: DrillOptions) {
  // Before the files are compared with their checksums, which takes longer.
  await pingForBackup(databaseUrl)
  const backup = await openBackup(dir, name)
  const { manifest } = backup
  assertMasterKeys(manifest, masterKeys)
  return withScratchDatabase(databaseUrl, async (url) => {
    note(`Loading the database of ${manifest.name} …`)
    await loadDump(url, dumpOf(backup))
    const db = await openDatabase({ url, poolSize: 4 })
    try {
      await checkMasterKeys(db.em.fork(), masterKeys)
      const { incomplete } = await amendLoaded(db, backup)
      await finishLoad(url)
      const sealedValues = await openSealedValues(() => db.em.fork(), masterKeys)
      note(`Opened ${sealedValues} sealed values.`)
      const videos = await drillVideos(db, backup, { masterKeys, incomplete, note })
      return { manifest, sealedValues, videos }
    } finally {
      await db.close(true)
    }
  })
}

const PAGE_ROWS = 500
/** No version of a master key is 0, so every value is of another version. */
const NO_VERSION = [0]

/** Opens every sealed value. Resolves to their number. Throws a SealingError at the first that does not open. */
async function openSealedValues(
  openEm: () => EntityManager,
  masterKeys: MasterKeys,
): Promise<number> {
  let count = 0
  for (const kind of SEALED_KINDS)
    for (let after: readonly string[] | null = null; ;) {
      const page = await findValuesNotUnder(openEm(), NO_VERSION, { kind, after, limit: PAGE_ROWS })
      for (const { sealed, owner } of page) unseal(masterKeys, sealed, contextOf(owner))
      count += page.length
      if (page.length < PAGE_ROWS) break
      after = page.at(-1)?.key ?? null
    }
  return count
}

async function drillVideos(
  db: Database,
  backup: OpenedBackup,
  {
    masterKeys,
    incomplete,
    note,
  }: Pick<DrillOptions, 'masterKeys' | 'note'> & { incomplete: string[] },
): Promise<DrilledVideo[]> {
  await removeAbandoned()
  const scratch = await mkdtemp(join(tmpdir(), SCRATCH))
  const folder = join(scratch, 'segments')
  await mkdir(folder)
  const openEm = () => db.em.fork()
  const work = { signal: new AbortController().signal }
  const context = { openEm, masterKeys, pool: backup.pool, folder, work }
  const progress = throttled((count: number) => note(`${count} videos …`))
  const list = openCursor(objectListOf(backup.path))
  const limit = pLimit(availableParallelism())
  const drilled: DrilledVideo[] = []
  try {
    for await (const batch of inBatches(readVideosWithMedia(openEm))) {
      const work: Promise<DrilledVideo>[] = []
      for (const video of batch) {
        const objects = await list.take(video.id)
        const isComplete = !incomplete.includes(video.id)
        work.push(
          limit(() =>
            judge(video.id, () => drillVideo(video, objects, { ...context, isComplete })),
          ),
        )
      }
      drilled.push(...(await Promise.all(work)))
      progress(drilled.length)
    }
    return drilled
  } finally {
    await list.close()
    await rm(scratch, { recursive: true, force: true })
  }
}

const SCRATCH = 'reelgate-drill-'
const ABANDONED_MS = 24 * 3_600_000

/** Removes the decrypted segments that killed drills have left. */
async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(SCRATCH)) continue
    const path = join(tmpdir(), name)
    const facts = await stat(path).catch(() => null)
    if (facts && Date.now() - facts.mtimeMs > ABANDONED_MS)
      await rm(path, { recursive: true, force: true })
  }
}

const BATCH_VIDEOS = 64

async function* inBatches<T>(items: AsyncIterable<T>): AsyncGenerator<T[]> {
  let batch: T[] = []
  for await (const item of items) {
    batch.push(item)
    if (batch.length < BATCH_VIDEOS) continue
    yield batch
    batch = []
  }
  yield batch
}

async function judge(id: string, work: () => Promise<number>): Promise<DrilledVideo> {
  try {
    return { id, segments: await work(), problem: null }
  } catch (error) {
    return { id, segments: 0, problem: error instanceof Error ? error.message : String(error) }
  }
}
