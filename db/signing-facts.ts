import { inBatches } from './batches.ts'
import type { Database } from './database.ts'
import { runStatement } from './statement.ts'

/** What signing a viewer token for a video takes. */
export interface SigningFacts {
  /** Of the account. */
  id: number
  /** Sealed (`security/secret-contexts.ts`). */
  sealedSigningSecret: string
}

const FIND = {
  name: 'find-signing-facts',
  text: `select v.id as "videoId", a.id, a.sealed_signing_secret as "sealedSigningSecret"
    from account a join video v on v.account_id = a.id
    where a.id = $1 and v.id = any($2::text[]) and v.deleted_at is null`,
}

type FactsRow = SigningFacts & { videoId: string }
type Find = (accountId: string, videoId: string) => Promise<SigningFacts | null>

/** Few enough that a busy account shares its look-ups, enough that a few calls need not wait. */
const AT_ONCE = 4

const finders = new WeakMap<Database, Find>()

/**
 * The signing facts of the account, where the video is there and the account's; else null. One query,
 * which calls that come at the same time share.
 */
export function findSigningFacts(
  db: Database,
  accountId: number,
  videoId: string,
): Promise<SigningFacts | null> {
  const find =
    finders.get(db) ?? inBatches((account, ids: string[]) => findAll(db, account, ids), AT_ONCE)
  finders.set(db, find)
  return find(String(accountId), videoId)
}

async function findAll(
  db: Database,
  accountId: string,
  videoIds: string[],
): Promise<(SigningFacts | null)[]> {
  const rows = await runStatement<FactsRow>(db, FIND, [accountId, [...new Set(videoIds)]])
  const byVideo = new Map(rows.map((row) => [row.videoId, row]))
  return videoIds.map((id) => byVideo.get(id) ?? null)
}
