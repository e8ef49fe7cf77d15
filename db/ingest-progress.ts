import { sql } from 'kysely'
import type { ProgressRow } from '../domain/video-progress.ts'
import type { VideoStatus } from '../domain/video-state.ts'
import type { EntityManager } from './database.ts'
import { queries } from './queries.ts'

/** True for a video `v` whose ingest has not ended. */
const IS_RUNNING = sql<boolean>`v.deleted_at is null and v.status in ('queued', 'processing', 'playable')`

/** Records how far a step of a video is. Does nothing if its ingest has ended or the video is deleted. */
export async function putProgress(
  em: EntityManager,
  { videoId, name, fraction }: { videoId: string; name: string; fraction: number | null },
): Promise<void> {
  await queries(em)
    .insertInto('ingest_progress')
    .columns(['videoId', 'name', 'stage', 'fraction'])
    .expression((eb) =>
      eb
        .selectFrom('video as v')
        .select([
          'v.id',
          sql<string>`${name}::text`.as('name'),
          sql<string>`'running'`.as('stage'),
          sql<number | null>`${fraction}::real`.as('fraction'),
        ])
        .where('v.id', '=', videoId)
        .where(IS_RUNNING),
    )
    .onConflict((conflict) =>
      conflict.columns(['videoId', 'name']).doUpdateSet((eb) => ({
        stage: eb.ref('excluded.stage'),
        fraction: eb.ref('excluded.fraction'),
        updatedAt: sql`now()`,
      })),
    )
    .execute()
}

/** Records steps that wait for their turn; those that are recorded already stay as they are. */
export async function putWaitingSteps(
  em: EntityManager,
  videoId: string,
  names: string[],
): Promise<void> {
  if (names.length === 0) return
  await queries(em)
    .insertInto('ingest_progress')
    .values(names.map((name) => ({ videoId, name, stage: 'waiting', fraction: null })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Removes the progress of videos whose ingest has ended. */
export async function deleteProgress(em: EntityManager, videoIds: string[]): Promise<void> {
  if (videoIds.length === 0) return
  await queries(em).deleteFrom('ingest_progress').where('videoId', 'in', videoIds).execute()
}

/** Removes what a step wrote while its video ended. */
export async function deleteEndedProgress(em: EntityManager): Promise<void> {
  await queries(em)
    .deleteFrom('ingest_progress')
    .where(
      sql<boolean>`not exists (select 1 from video v where v.id = ingest_progress.video_id and ${IS_RUNNING})`,
    )
    .execute()
}

/** The progress of one video, as its steps have recorded it. */
export interface RecordedProgress {
  id: string
  status: VideoStatus
  rows: ProgressRow[]
  /** The names of the renditions that are published. */
  published: string[]
}

/** The progress of the account's videos among `ids`; leaves out deleted videos and those of other accounts. */
export async function readProgress(
  em: EntityManager,
  accountId: number,
  ids: string[],
): Promise<RecordedProgress[]> {
  if (ids.length === 0) return []
  const videos = await queries(em)
    .selectFrom('video as v')
    .select([
      'v.id',
      'v.status',
      sql<string[]>`array(select r.name from rendition r where r.video_id = v.id)`.as('published'),
    ])
    .where('v.id', 'in', ids)
    .where('v.accountId', '=', accountId)
    .where('v.deletedAt', 'is', null)
    .execute()
  const found = videos.map(({ id }) => id)
  const rows = await readRows(em, found)
  return videos.map((video) => ({
    ...video,
    rows: rows.filter(({ videoId }) => videoId === video.id),
  }))
}

async function readRows(em: EntityManager, videoIds: string[]) {
  if (videoIds.length === 0) return []
  return queries(em)
    .selectFrom('ingest_progress')
    .selectAll()
    .where('videoId', 'in', videoIds)
    .execute()
}
