import { heartbeat, log } from '@temporalio/activity'
import { indexCaption } from '../../commands/captions/index-caption.ts'
import type { Database } from '../../db/database.ts'
import { isDatabaseUnavailable } from '../../db/errors.ts'
import { listAccountsWithChanges, listChangedCaptions } from '../../db/search/caption-changes.ts'

/** One call ends after this time, so that the sweep that it is a part of ends too; the next call continues. */
const CALL_MS = 40_000
/** The turn of an account, after at least one caption, so that captions of others do not wait for an archive. */
const TURN_MS = 1_000
const PAGE_CHANGES = 20
/** A call ends if it has met more that fail: the cause is no single caption. */
const FAILED_MAX = 100

interface IndexDeps {
  db: Database
  /** How long one call begins captions; 40 s by default. */
  indexMs?: number
  /** The time in milliseconds; that of the process by default. */
  now?: () => number
}

/**
 * Indexes the captions that have changed, the oldest change of each account first; accounts take turns. One that fails is left to the
 * next call, and stops no other. Returns how many it has indexed. Safe to run twice: only one call indexes at a time.
 */
export async function indexCaptions({
  db,
  indexMs = CALL_MS,
  now = Date.now,
}: IndexDeps): Promise<number> {
  const endsAt = now() + indexMs
  const failed: string[] = []
  let count = 0
  for (let isDone = false; !isDone && now() < endsAt;) {
    isDone = true
    for (const accountId of await listAccountsWithChanges(db.em.fork())) {
      const before = failed.length
      const turn = await takeTurn(db, accountId, { endsAt: now() + TURN_MS, failed, now })
      count += turn.indexed
      heartbeat(count)
      if (turn.isBusy || failed.length > FAILED_MAX || now() >= endsAt) return count
      if (turn.indexed > 0 || failed.length > before) isDone = false
    }
  }
  return count
}

interface Turn {
  endsAt: number
  /** Changes whose captions cannot be indexed in this call. */
  failed: string[]
  now: () => number
}

/** Indexes captions of an account until its time is over. */
async function takeTurn(
  db: Database,
  accountId: number,
  { endsAt, failed, now }: Turn,
): Promise<{ indexed: number; isBusy: boolean }> {
  let indexed = 0
  for (const changed of await listChangedCaptions(db.em.fork(), accountId, failed, PAGE_CHANGES)) {
    const isDone = await indexCaption(db.em.fork(), changed).catch((err: unknown) => {
      if (isDatabaseUnavailable(err)) throw err
      const { videoId, languageCode } = changed
      log.error('a caption cannot be indexed', { accountId, videoId, languageCode, err })
      failed.push(...changed.changeIds)
      return null
    })
    if (isDone === false) return { indexed, isBusy: true }
    if (isDone === true) indexed += 1
    if (now() >= endsAt) break
  }
  return { indexed, isBusy: false }
}
