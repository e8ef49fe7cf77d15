import { heartbeat, log } from '@temporalio/activity'
import type { Client } from '@temporalio/client'
import type { Database } from '../../db/database.ts'
import {
  findUnfinishedDeliveries,
  findUnfinishedImports,
  findUnfinishedReplays,
  findUnfinishedVideos,
  findUnremovedAccounts,
  findUnremovedVideos,
  findUnsettledEndpoints,
  findWaitingPosters,
  readSweepPosition,
  type FindUnfinished,
} from '../../db/outbox/outbox-sweep.ts'
import { writeSweepPosition } from '../../db/outbox/write-sweep-positions.ts'
import { requestWorkflows } from '../../db/outbox/write-workflow-requests.ts'
import { SWEEP_KINDS, type SweepKind, type SweptPart } from '../../domain/sweep.ts'
import { clientsOf, deliveryPlaces } from '../../temporal/delivery-places.ts'
import { findLostWork } from './find-lost-work.ts'

const PAGE_ROWS = 200
/** One call ends after this time, so that each kind of work has its turn each minute; the next call continues. */
const CALL_MS = 40_000

const FINDERS: Record<SweepKind, FindUnfinished> = {
  deliveries: findUnfinishedDeliveries,
  videos: findUnfinishedVideos,
  deletions: findUnremovedVideos,
  replays: findUnfinishedReplays,
  imports: findUnfinishedImports,
  posters: findWaitingPosters,
  accounts: findUnremovedAccounts,
  endpoints: findUnsettledEndpoints,
}

interface SweepDeps {
  db: Database
  client: Client
  /** The namespace of the workflows of deliveries; the client has that of all others. */
  deliveriesNamespace: string
  /** How long one call looks at rows; 40 s by default. */
  sweepMs?: number
  /** The time in milliseconds; that of the process by default. */
  now?: () => number
}

/**
 * Finds rows of one kind with unfinished work and without a running workflow (Temporal's store was lost or restored, or
 * a workflow was terminated), and requests their workflows again. Continues where the call before it has stopped; ends with the
 * last row or when its time is over. A row about which Temporal does not respond is skipped. Safe to run twice and concurrently
 * with the relay: a row that has a workflow by then keeps it.
 */
export async function sweepWork(
  { db, client, deliveriesNamespace, sweepMs = CALL_MS, now = Date.now }: SweepDeps,
  kind: SweepKind,
): Promise<SweptPart> {
  const endsAt = now() + sweepMs
  const swept: SweptPart = { requested: 0, skipped: 0, isComplete: false }
  // Those of deliveries may be where the release before began them.
  const places =
    kind === 'deliveries' ? clientsOf(deliveryPlaces(client, deliveriesNamespace, true)) : [client]
  let after = await readSweepPosition(db.em.fork(), kind)
  do {
    const page = await FINDERS[kind](db.em.fork(), after, PAGE_ROWS)
    const { lost, skipped } = await findLostWork(places, page, {
      onProgress: () => heartbeat(swept),
      nowMs: now(),
    })
    after = page.length < PAGE_ROWS ? null : (page.at(-1)?.subjectId ?? null)
    await db.em.fork().transactional(async (tx) => {
      await requestWorkflows(tx, lost)
      await writeSweepPosition(tx, kind, after)
    })
    swept.requested += lost.length
    swept.skipped += skipped
    swept.isComplete = after === null
    heartbeat(swept)
  } while (!swept.isComplete && now() < endsAt)
  if (swept.skipped > 0) log.warn('Temporal did not respond about some workflows', { ...swept })
  return swept
}

/** All kinds one after the other, for a run of the sweep that the release before has begun. */
export async function sweepOutbox(deps: SweepDeps): Promise<void> {
  for (const kind of SWEEP_KINDS) await sweepWork(deps, kind)
}
