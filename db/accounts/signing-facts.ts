import { inBatches } from '../batches.ts'
import type { Database } from '../database.ts'
import { runStatement } from '../queries.ts'

/** What is needed to sign a viewer token for a video. */
export interface SigningFacts {
  /** The account's id. */
  id: number
  /** Sealed (`security/sealing/secret-contexts.ts`). */
  sealedSigningSecret: string
  /** The video's title. */
  title: string
}

interface Wanted {
  accountId: number
  videoId: string
}

// Raw and prepared: every POST of a playback token waits for it (see `runStatement`).
const FIND = {
  name: 'find-signing-facts',
  text: `
    select v.id as "videoId", v.title, a.id, a.sealed_signing_secret as "sealedSigningSecret"
    from video v join account a on a.id = v.account_id
    where v.id = any($1::text[]) and v.deleted_at is null`,
}

/** Low enough that a busy process shares its look-ups, high enough that a few calls do not wait. */
const AT_ONCE = 2

const finders = new WeakMap<Database, (wanted: Wanted) => Promise<SigningFacts | null>>()

/**
 * The signing facts of the account; null when it has no such video. Simultaneous calls share one query.
 */
export function findSigningFacts(
  db: Database,
  accountId: number,
  videoId: string,
): Promise<SigningFacts | null> {
  const find =
    finders.get(db) ??
    inBatches<Wanted, SigningFacts | null>((wanted) => findAll(db, wanted), AT_ONCE)
  finders.set(db, find)
  return find({ accountId, videoId })
}

async function findAll(db: Database, wanted: Wanted[]): Promise<(SigningFacts | null)[]> {
  const videoIds = [...new Set(wanted.map(({ videoId }) => videoId))]
  const rows = await runStatement<SigningFacts & { videoId: string }>(db, FIND, [videoIds])
  const byVideo = new Map(rows.map((row) => [row.videoId, row]))
  return wanted.map(({ accountId, videoId }) => {
    const facts = byVideo.get(videoId)
    return facts?.id === accountId ? facts : null
  })
}
