import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, Connection } from '@temporalio/client'
import { openDatabase } from '../../../db/database.ts'
import { createStorage } from '../../../storage/object-storage.ts'
import { makeSource } from '../../fixtures/sources.ts'
import { bringForward } from '../webhooks/bring-forward.ts'
import { makeAccount } from './account.ts'
import type { KnownAccount } from './account.ts'
import { makeFaults } from './fault.ts'
import type { Faults } from './fault.ts'
import { planFaults } from './fault-plan.ts'
import { openIntegrator } from './integrator.ts'
import { findLost, rowsOf } from './judge.ts'
import type { ServiceRecord } from './judge.ts'
import { findOrphans, findStuck } from './judge-rest.ts'
import { findLeaked } from './judge-secrets.ts'
import { makeFirstVideo, runAccount } from './load.ts'
import { openWorld } from './world.ts'
import type { World } from './world.ts'

export interface ServiceChaosOptions {
  seed: number
  faults: number
  accounts: number
  tell: (line: string) => void
}

export interface ServiceChaosResult {
  faults: Faults
  lost: string[]
  stuck: string[]
  orphans: string[]
  leaked: string[]
  /** Videos that the API acknowledged. */
  videos: number
  deliveries: number
  sessions: number
  /** Answers with 500 while parts failed. */
  internalErrors: string[]
}

/** The time in which a fault begins, on average. */
const MS_PER_FAULT = 1_200

/** The faults of a run, in the order of their beginnings. */
export const planOf = ({ seed, faults }: Pick<ServiceChaosOptions, 'seed' | 'faults'>) =>
  planFaults({ seed, faults, withinMs: faults * MS_PER_FAULT })

/** Runs several accounts on a whole installation while its parts fail and are killed, and judges what is left. */
export async function runServiceChaos(options: ServiceChaosOptions): Promise<ServiceChaosResult> {
  const folder = await mkdtemp(join(tmpdir(), 'reelgate-chaos-'))
  const source = join(folder, 'lesson.mp4')
  await makeSource(source, { seconds: 2, size: '426x240', rate: 12, grain: false })
  const integrator = await openIntegrator(folder, source, options.seed)
  try {
    const data = join(folder, 'data')
    await mkdir(data)
    const world = await openWorld(data, integrator, options.tell)
    try {
      return await runWorld(world, options)
    } finally {
      await world.close()
    }
  } finally {
    await integrator.close()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function runWorld(world: World, options: ServiceChaosOptions): Promise<ServiceChaosResult> {
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
    const record = { world, db, storage, temporal, accounts }
    const faults = await runLoad(record, options)
    return { faults, ...(await judge(record, options)) }
  } finally {
    await forward.stop()
    await Promise.all([db.close(true), connection.close()])
  }
}

/** Lets the accounts work until the last fault has ended. */
async function runLoad(
  { world, accounts }: ServiceRecord,
  options: ServiceChaosOptions,
): Promise<Faults> {
  const { seed, tell } = options
  await Promise.all(accounts.map((account) => makeFirstVideo(world, account)))
  const state = { isOver: false }
  const end = (): void => void (state.isOver = true)
  const failing = makeFaults(world, planOf(options), seed, tell).finally(end)
  const working = accounts.map((account) =>
    runAccount(world, account, { seed, isOver: () => state.isOver }).finally(end),
  )
  const [made] = await Promise.all([failing, ...working])
  return made
}

async function judge(record: ServiceRecord, { tell }: ServiceChaosOptions) {
  tell('the faults are over; waiting for the end of the work')
  const stuck = await findStuck(record)
  const [lost, orphans, leaked] = await Promise.all([
    findLost(record),
    findOrphans(record),
    findLeaked(record),
  ])
  const videos = record.accounts.flatMap((account) => account.videos)
  const [counts] = await rowsOf<{ deliveries: number }>(
    record,
    'select count(*)::int as deliveries from webhook_delivery',
  )
  return {
    lost,
    stuck,
    orphans,
    leaked,
    videos: videos.length,
    deliveries: counts?.deliveries ?? 0,
    sessions: videos.reduce((sum, { sessions }) => sum + sessions, 0),
    internalErrors: record.accounts.flatMap(({ internalErrors }) => internalErrors),
  }
}
