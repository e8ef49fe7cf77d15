import type { Database } from '../database.ts'
import { runStatement } from '../queries.ts'

/** A chunk that a viewer watches or waits for. */
export interface Playhead {
  videoId: string
  index: number
}

/** Processes that have the same viewers write a chunk at most so often. */
const FRESH = `interval '5 seconds'`

const PUT = {
  name: 'put-playheads',
  text: `insert into playhead as p (video_id, index)
    select seen.video_id, seen.index from unnest($1::text[], $2::int[]) as seen (video_id, index)
    join growing_film g on g.video_id = seen.video_id
    order by seen.video_id, seen.index
    on conflict (video_id, index) do update set seen_at = now() where p.seen_at < now() - ${FRESH}`,
}

/** Records where viewers are, each chunk once. Leaves out videos that do not play while they are encoded. */
export async function putPlayheads(db: Database, playheads: readonly Playhead[]): Promise<void> {
  await runStatement(db, PUT, [
    playheads.map(({ videoId }) => videoId),
    playheads.map(({ index }) => index),
  ])
}
