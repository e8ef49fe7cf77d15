import { insertChapter, listCaptions, listChapters, putCaption } from '../../db/annotations.ts'
import type { EntityManager } from '../../db/database.ts'
import type { ChapterRange } from '../../domain/chapters.ts'
import { CAPTIONS_MAX } from '../../domain/limits.ts'
import { announceCaptions } from '../captions/captions.ts'
import { requireLockedVideo } from './lock-video.ts'

/** The chapters and captions of a source file, ready to be stored. */
export interface ExtrasToAdd {
  /** In order, without overlaps, within the video. */
  chapters: (ChapterRange & { title: string })[]
  captions: { languageCode: string; label: string; content: string }[]
}

/**
 * Adds the chapters and captions of a source to its video, and announces the captions as `caption.ready`. What the
 * integrator has added stays: chapters are added only if the video has none, a caption only if none has its language.
 * Call it in a transaction. Refuses with `video_not_found`.
 */
export async function addSourceExtras(
  tx: EntityManager,
  { accountId, videoId }: { accountId: number; videoId: string },
  { chapters, captions }: ExtrasToAdd,
): Promise<void> {
  await requireLockedVideo(tx, accountId, videoId)
  if ((await listChapters(tx, videoId)).length === 0)
    for (const { start, end, title } of chapters)
      await insertChapter(tx, { videoId, title, startSeconds: start, endSeconds: end })
  const stored = await listCaptions(tx, videoId)
  const known = new Set(stored.map(({ languageCode }) => languageCode))
  const added = captions
    .filter(({ languageCode }) => !known.has(languageCode))
    .slice(0, CAPTIONS_MAX - stored.length)
  if (added.length === 0) return
  // The list is read again after the change.
  tx.clear()
  for (const caption of added)
    await putCaption(tx, { ...caption, videoId, sizeBytes: Buffer.byteLength(caption.content) })
  await announceCaptions(tx, accountId, videoId, await listCaptions(tx, videoId))
}
