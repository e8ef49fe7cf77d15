import type { EntityManager } from './database.ts'
import { Moment } from './entities/annotation.ts'
import { queries } from './kysely.ts'

/** The moments of a video, by time. */
export const listMoments = (em: EntityManager, videoId: string): Promise<Moment[]> =>
  em.find(Moment, { videoId }, { orderBy: { timestampSeconds: 'asc' } })

/** Inserts a moment. Fails (`unique`) if another moment has its timestamp. */
export const insertMoment = (
  em: EntityManager,
  moment: { videoId: string; label: string; timestampSeconds: number },
): Promise<Moment> =>
  queries(em).insertInto('moment').values(moment).returningAll().executeTakeFirstOrThrow()

/** Deletes the moments after `lastSecond`. */
export async function cutMoments(
  em: EntityManager,
  videoId: string,
  lastSecond: number,
): Promise<void> {
  await em.nativeDelete(Moment, { videoId, timestampSeconds: { $gt: lastSecond } })
}

/** Copies the moments of one video to another, which has none. */
export async function copyMoments(
  em: EntityManager,
  fromVideoId: string,
  toVideoId: string,
): Promise<void> {
  await queries(em)
    .insertInto('moment')
    .columns(['videoId', 'label', 'timestampSeconds'])
    .expression((eb) =>
      eb
        .selectFrom('moment')
        .select(eb.val(toVideoId).as('videoId'))
        .select(['label', 'timestampSeconds'])
        .where('videoId', '=', fromVideoId),
    )
    .execute()
}
