import { sql } from 'kysely'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'

/** True for a video `v` whose ingest has not ended. */
const IS_RUNNING = sql<boolean>`v.deleted_at is null and v.status in ('queued', 'processing', 'playable')`

/** What an activity has done of its steps. */
export interface ReportedProgress {
  videoId: string
  /** The steps that it does together. */
  names: readonly string[]
  /** Which part of each step, from 0; absent if it does all of it. Each part has its own row, so workers do not meet. */
  part?: { index: number; count: number } | undefined
  /** Of the part; null if the total is not known. */
  fraction: number | null
}

/**
 * Records how far steps of a video are. A retry does not lower what its part has reached, so that percents never fall,
 * unless the number of parts has changed. Does nothing if the ingest has ended or the video is deleted.
 */
export async function putProgress(
  em: EntityManager,
  { videoId, names, part = { index: 0, count: 1 }, fraction }: ReportedProgress,
): Promise<void> {
  const isSame = sql<boolean>`ingest_progress.stage = 'running' and ingest_progress.parts = excluded.parts`
  await queries(em)
    .insertInto('ingest_progress')
    .columns(['videoId', 'name', 'part', 'parts', 'stage', 'fraction'])
    .expression((eb) =>
      eb
        .selectFrom('video as v')
        .innerJoin(
          sql<{ name: string }>`unnest(${names}::text[])`.as<'step'>(sql`step(name)`),
          (on) => on.onTrue(),
        )
        .select([
          'v.id',
          'step.name',
          sql<number>`${part.index}::int`.as('part'),
          sql<number>`${part.count}::int`.as('parts'),
          sql<string>`'running'`.as('stage'),
          sql<number | null>`${fraction}::real`.as('fraction'),
        ])
        .where('v.id', '=', videoId)
        .where(IS_RUNNING),
    )
    .onConflict((conflict) =>
      conflict.columns(['videoId', 'name', 'part']).doUpdateSet((eb) => ({
        stage: eb.ref('excluded.stage'),
        parts: eb.ref('excluded.parts'),
        fraction: sql<
          number | null
        >`case when ${isSame} then greatest(ingest_progress.fraction, excluded.fraction)
          else excluded.fraction end`,
        startedAt: sql<Date>`case when ${isSame} then ingest_progress.started_at else now() end`,
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
    .values(names.map((name) => ({ videoId, name, part: 0, stage: 'waiting', fraction: null })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Removes steps that a video does not need after all. */
export async function deleteSteps(
  em: EntityManager,
  videoId: string,
  names: string[],
): Promise<void> {
  if (names.length === 0) return
  await queries(em)
    .deleteFrom('ingest_progress')
    .where('videoId', '=', videoId)
    .where('name', 'in', names)
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
