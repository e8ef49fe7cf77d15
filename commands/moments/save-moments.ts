import type { EntityManager } from '../../db/database.ts'
import type { Moment } from '../../db/entities/annotation.ts'
import { listMoments } from '../../db/videos/annotations.ts'
import { replaceMoments } from '../../db/videos/write-annotations.ts'
import { MOMENTS_MAX } from '../../domain/limits.ts'
import { areSameRows } from '../../domain/merge-edits.ts'
import { isMomentTime } from '../../domain/videos/chapters.ts'
import { Refusal } from '../refusal.ts'
import { requireLockedVideo } from '../videos/lock-video.ts'

interface MomentToSave {
  /** Null for a new one. One that was deleted meanwhile is created again. */
  id: number | null
  label: string
  timestamp: number
}

/** What an editor has changed in the moments of a video. Moments that are not named stay. */
export interface MomentChanges {
  moments: MomentToSave[]
  deletedIds: number[]
  /** The moments that the editor has started from; absent for one who overwrites. */
  from?: (MomentToSave & { id: number })[] | undefined
}

/**
 * Changes several moments at once, so that they may change places. Call it in a transaction. Refuses with the field
 * of the moment (`moments.2.timestamp`): `invalid_parameter` for a time beyond the end, and `moment_exists`; with
 * `too_many_moments` and `video_not_found`; and with `stale_edit` if a named moment is not as in `from` any more.
 */
export async function saveMoments(
  tx: EntityManager,
  accountId: number,
  videoId: string,
  { moments, deletedIds, from }: MomentChanges,
): Promise<void> {
  const video = await requireLockedVideo(tx, accountId, videoId)
  const before = await listMoments(tx, videoId)
  const known = new Set(before.map(({ id }) => id))
  const gone = [...deletedIds, ...moments.flatMap(({ id }) => id ?? [])]
  if (from && !areSameRows(gone, from, before.map(momentOf))) throw new Refusal('stale_edit')
  const kept = before.filter(({ id }) => !gone.includes(id))
  if (kept.length + moments.length > MOMENTS_MAX) throw new Refusal('too_many_moments')
  const taken = kept.map(({ timestampSeconds }) => timestampSeconds)
  requireTimes(moments, taken, video.durationMs)
  const rows = moments.map(({ id, label, timestamp }) => ({
    id: id !== null && known.has(id) ? id : null,
    label,
    timestampSeconds: timestamp,
  }))
  await replaceMoments(tx, videoId, gone, rows)
  // Later reads would return the rows as they were.
  tx.clear()
}

const momentOf = ({ id, label, timestampSeconds: timestamp }: Moment) => ({ id, label, timestamp })

function requireTimes(moments: MomentToSave[], kept: number[], durationMs: number | null): void {
  const taken = new Set(kept)
  for (const [index, { timestamp }] of moments.entries()) {
    const field = `moments.${index}.timestamp`
    if (!isMomentTime(timestamp, durationMs))
      throw new Refusal('invalid_parameter', {
        field,
        message: 'The moment is beyond the end of the video.',
      })
    if (taken.has(timestamp)) throw new Refusal('moment_exists', { field })
    taken.add(timestamp)
  }
}
