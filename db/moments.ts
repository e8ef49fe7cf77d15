import type { EntityManager } from './database.ts'
import { Moment } from './entities/annotation.ts'

/** The moments of a video, by time. */
export const listMoments = (em: EntityManager, videoId: string): Promise<Moment[]> =>
  em.find(Moment, { videoId }, { orderBy: { timestampSeconds: 'asc' } })

/** Inserts a moment. Fails (`unique`) where its timestamp is taken. */
export async function insertMoment(
  em: EntityManager,
  moment: { videoId: string; label: string; timestampSeconds: number },
): Promise<Moment> {
  const id: number = await em.insert(Moment, moment)
  return em.findOneOrFail(Moment, { id })
}

/** Removes the moments behind `lastSecond`. */
export async function cutMoments(
  em: EntityManager,
  videoId: string,
  lastSecond: number,
): Promise<void> {
  await em.execute('delete from moment where video_id = ? and timestamp_seconds > ?', [
    videoId,
    lastSecond,
  ])
}
