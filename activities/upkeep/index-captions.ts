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
  const lastChanges = new Map<number, string>()
  let count = 0
  for (let isDone = false; !isDone && now() < endsAt;) {
    isDone = true
    for (const accountId of await listAccountsWithChanges(db.em.fork())) {
      const turn = { accountId, after: lastChanges.get(accountId) ?? '0', endsAt: now() + TURN_MS }
      const { last, indexed, isBusy } = await takeTurn(db, turn, now)
      count += indexed
      heartbeat(count)
      if (isBusy || now() >= endsAt) return count
      if (last === null) continue
      lastChanges.set(accountId, last)
      isDone = false
    }
  }
  return count
}

interface Turn {
  accountId: number
  /** The last change that was looked at. */
  after: string
  endsAt: number
}

/** Indexes captions of an account until its time is over. `last` is the change after which it goes on; null if none was left. */
async function takeTurn(db: Database, { accountId, after, endsAt }: Turn, now: () => number) {
  let last: string | null = null
  let indexed = 0
  for (const changed of await listChangedCaptions(db.em.fork(), accountId, after, PAGE_CHANGES)) {
    const isDone = await indexCaption(db.em.fork(), changed).catch((err: unknown) => {
      if (isDatabaseUnavailable(err)) throw err
      const { videoId, languageCode } = changed
      log.error('a caption cannot be indexed', { accountId, videoId, languageCode, err })
      return null
    })
    if (isDone === false) return { last, indexed, isBusy: true }
    if (isDone === true) indexed += 1
    last = changed.changeIds.at(-1) ?? last
    if (now() >= endsAt) break
  }
  return { last, indexed, isBusy: false }
}
