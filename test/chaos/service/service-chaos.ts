import type { KnownAccount } from './account.ts'
import { planFaults } from './fault-plan.ts'
import { makeFaults, type Faults } from './fault.ts'
import { findOrphans, findStuck } from './judge-rest.ts'
import { findLeaked } from './judge-secrets.ts'
import { findLost, findRows, type ServiceRecord } from './judge.ts'
import { makeFirstVideo, runAccount } from './load.ts'
import { withRecord } from './with-record.ts'

export interface ServiceChaosOptions {
  seed: number
  faults: number
  accounts: number
  tell: (line: string) => void
}

/** What the judges found. */
export interface Judgement {
  lost: string[]
  stuck: string[]
  orphans: string[]
  leaked: string[]
}

export interface ServiceChaosResult extends Judgement {
  faults: Faults
  /** Videos that the API acknowledged. */
  videos: number
  deliveries: number
  sessions: number
  /** Responses with 500 while parts failed. */
  internalErrors: string[]
}

/** The time in which a fault begins, on average. */
const MS_PER_FAULT = 1_200

/** The faults of a run, in the order of their beginnings. */
export const planOf = ({ seed, faults }: Pick<ServiceChaosOptions, 'seed' | 'faults'>) =>
  planFaults({ seed, faults, withinMs: faults * MS_PER_FAULT })

/** Runs several accounts on a whole installation while its parts fail and are killed, and judges what is left. */
export const runServiceChaos = (options: ServiceChaosOptions): Promise<ServiceChaosResult> =>
  withRecord(options, async (record) => {
    const faults = await runLoad(record, options)
    options.tell('the faults are over; waiting for the end of the work')
    return { faults, ...(await judge(record)), ...(await count(record)) }
  })

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

/** Waits for the end of the work, and judges what is left. */
export async function judge(record: ServiceRecord): Promise<Judgement> {
  const stuck = await findStuck(record)
  const [lost, orphans, leaked] = await Promise.all([
    findLost(record),
    findOrphans(record),
    findLeaked(record),
  ])
  return { lost, stuck, orphans, leaked }
}

async function count(record: ServiceRecord) {
  const videos = record.accounts.flatMap((account: KnownAccount) => account.videos)
  const [counts] = await findRows<{ deliveries: number }>(
    record,
    'select count(*)::int as deliveries from webhook_delivery',
  )
  return {
    videos: videos.length,
    deliveries: counts?.deliveries ?? 0,
    sessions: videos.reduce((sum, { sessions }) => sum + sessions, 0),
    internalErrors: record.accounts.flatMap(({ internalErrors }) => internalErrors),
  }
}
