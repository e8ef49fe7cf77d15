import { chaptersWithin, momentsWithin } from '../../domain/videos/chapters.ts'
import type { Database } from '../database.ts'
import { queries, runStatement } from '../queries.ts'

/** What the player shows besides the video; times in seconds. */
export interface PlayerExtras {
  captions: { languageCode: string; label: string }[]
  chapters: { title: string; start: number; end: number }[]
  moments: { label: string; timestamp: number }[]
  hasStoryboard: boolean
}

// Raw and prepared: the controls of every player wait for it (see `runStatement`).
const FIND_EXTRAS = {
  name: 'find-player-extras',
  text: `
    select v.has_storyboard as "hasStoryboard",
      coalesce(v.duration_ms, (select max((r.facts ->> 'durationMs')::float8)
        from rendition r where r.video_id = v.id)) as "durationMs",
      (select coalesce(json_agg(json_build_object('languageCode', c.language_code,
          'label', c.label) order by c.language_code), '[]')
        from caption c where c.video_id = v.id) as captions,
      (select coalesce(json_agg(json_build_object('title', c.title, 'start', c.start_seconds,
          'end', c.end_seconds) order by c.start_seconds), '[]')
        from chapter c where c.video_id = v.id) as chapters,
      (select coalesce(json_agg(json_build_object('label', m.label,
          'timestamp', m.timestamp_seconds) order by m.timestamp_seconds), '[]')
        from moment m where m.video_id = v.id) as moments
    from video v where v.id = $1 and v.deleted_at is null`,
}

/**
 * Captions by language, chapters and moments by time, in one statement; null for a deleted video.
 * Leaves out chapters and moments beyond what can be played, which a video that is not ready may have.
 */
export async function findPlayerExtras(
  db: Database,
  videoId: string,
): Promise<PlayerExtras | null> {
  type Row = PlayerExtras & { durationMs: number | null }
  const [row] = await runStatement<Row>(db, FIND_EXTRAS, [videoId])
  if (!row) return null
  const { durationMs, ...extras } = row
  if (durationMs === null) return extras
  const chapters = chaptersWithin(extras.chapters, durationMs)
  return { ...extras, chapters, moments: momentsWithin(extras.moments, durationMs) }
}

/** The WebVTT text of a caption; null when there is none or the video is deleted. */
export async function findCaptionText(
  db: Database,
  videoId: string,
  languageCode: string,
): Promise<string | null> {
  const caption = await queries(db.em.fork())
    .selectFrom('caption as c')
    .innerJoin('video as v', 'v.id', 'c.videoId')
    .select('c.content')
    .where('c.videoId', '=', videoId)
    .where('c.languageCode', '=', languageCode)
    .where('v.deletedAt', 'is', null)
    .executeTakeFirst()
  return caption?.content ?? null
}
