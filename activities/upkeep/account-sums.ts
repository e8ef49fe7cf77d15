import { Context, log } from '@temporalio/activity'
import { listKeptAccounts, listUncountedAccounts } from '../../db/accounts/account-sums.ts'
import { countAccount, foldDeltas, repairSums } from '../../db/accounts/write-account-sums.ts'
import type { Database } from '../../db/database.ts'
import { sumDrifts } from '../../metrics/ingest.ts'

const FOLDED_ROWS = 10_000
const PAGE_ROWS = 100

interface Deps {
  db: Database
}

/** What a run has done. */
interface FoldResult {
  deltas: number
  /** Accounts from before the sums, whose sums are now kept. */
  counted: number
}

/**
 * Adds the deltas to the sums of their accounts, and counts accounts whose sums are not kept yet; one that cannot be counted is
 * skipped until the next run. Safe to run twice, and to end at any line: each statement is whole.
 */
export async function foldSums({ db }: Deps): Promise<FoldResult> {
  const { heartbeat } = Context.current()
  const result = { deltas: 0, counted: 0 }
  const fold = async (): Promise<void> => {
    for (let folded = FOLDED_ROWS; folded === FOLDED_ROWS; heartbeat(result)) {
      folded = await foldDeltas(db.em.fork(), FOLDED_ROWS)
      result.deltas += folded
    }
  }
  await fold()
  await eachAccount(
    (after) => listUncountedAccounts(db.em.fork(), after, PAGE_ROWS),
    async (accountId) => {
      await countAccount(db.em.fork(), accountId)
      result.counted += 1
      heartbeat(result)
    },
  )
  if (result.counted > 0) await fold()
  return result
}

/** How far a check is: an attempt that is killed is continued by the next one. */
export interface CheckResult {
  lastAccountId: number
  /** Accounts whose sums were wrong. */
  repaired: number
}

/**
 * Compares the sums of each account with its videos and captions, repairs those that are wrong, and reports them. Safe to run
 * twice, and beside any change.
 */
export async function checkSums({ db }: Deps): Promise<CheckResult> {
  const { heartbeat, info } = Context.current()
  const begun = info.heartbeatDetails as CheckResult | undefined
  const result = { ...(begun ?? { lastAccountId: 0, repaired: 0 }) }
  await eachAccount(
    (after) => listKeptAccounts(db.em.fork(), after, PAGE_ROWS),
    async (accountId) => {
      const drift = await repairSums(db.em.fork(), accountId)
      if (drift) {
        log.warn('the sums of an account were wrong, and are repaired', { accountId, drift })
        sumDrifts.inc()
        result.repaired += 1
      }
      result.lastAccountId = accountId
      heartbeat(result)
    },
    result.lastAccountId,
  )
  return result
}

/** Calls `work` for the accounts of all pages, in order. One that fails is logged and skipped. */
async function eachAccount(
  list: (after: number) => Promise<number[]>,
  work: (accountId: number) => Promise<void>,
  start = 0,
): Promise<void> {
  for (let page = await list(start); page.length > 0; page = await list(page.at(-1) ?? 0))
    for (const accountId of page)
      await work(accountId).catch((err: unknown) =>
        log.warn('the videos of an account cannot be added up', { accountId, err }),
      )
}
