import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, Connection } from '@temporalio/client'
import { openDatabase } from '../../../db/database.ts'
import { createStorage } from '../../../storage/object-storage.ts'
import { makeSource } from '../../fixtures/sources.ts'
import { bringForward } from '../webhooks/bring-forward.ts'
import { makeAccount, type KnownAccount } from './account.ts'
import { openIntegrator } from './integrator.ts'
import type { ServiceRecord } from './judge.ts'
import { openWorld, type World } from './world.ts'

export interface RecordOptions {
  seed: number
  accounts: number
  tell: (line: string) => void
  /** Makes the integrator's video; a small one by default. */
  makeVideo?: (path: string) => Promise<void>
  /** The address of the integrator's server; one of the loopback by default. */
  address?: string
}

const makeSmallVideo = (path: string): Promise<void> =>
  makeSource(path, { seconds: 2, size: '426x240', rate: 12, grain: false })

/** Starts a whole installation with accounts, calls `work` with what its judges read, and removes everything. */
export async function withRecord<T>(
  options: RecordOptions,
  work: (record: ServiceRecord) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'reelgate-chaos-'))
  const source = join(folder, 'lesson.mp4')
  await (options.makeVideo ?? makeSmallVideo)(source)
  const integrator = await openIntegrator(folder, source, options)
  try {
    const data = join(folder, 'data')
    await mkdir(data)
    const world = await openWorld(data, integrator, options.tell)
    try {
      return await withAccounts(world, options, work)
    } finally {
      await world.close()
    }
  } finally {
    await integrator.close()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function withAccounts<T>(
  world: World,
  options: RecordOptions,
  work: (record: ServiceRecord) => Promise<T>,
): Promise<T> {
  const db = await openDatabase({ url: world.databaseUrl, poolSize: 6 })
  // Lazily, because its server is killed.
  const connection = Connection.lazy({ address: world.temporalAddress })
  const storage = createStorage({ ...world.bucket, driver: 's3' })
  const temporal = new Client({ connection })
  const forward = bringForward({ db }, Infinity)
  try {
    const accounts: KnownAccount[] = []
    for (let made = 0; made < options.accounts; made += 1)
      accounts.push(await makeAccount(world, db))
    return await work({ world, db, storage, temporal, accounts })
  } finally {
    await forward.stop()
    await Promise.all([db.close(true), connection.close()])
  }
}
