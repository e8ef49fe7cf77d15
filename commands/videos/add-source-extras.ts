import type { EntityManager } from '../../db/database.ts'
import { listCaptions, listChapters } from '../../db/videos/annotations.ts'
import { insertChapter, putCaption } from '../../db/videos/write-annotations.ts'
import { CAPTIONS_MAX } from '../../domain/limits.ts'
import type { ChapterRange } from '../../domain/videos/chapters.ts'
import { lockCaptionStorage } from '../captions/caption-storage.ts'
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
 * integrator has added stays: chapters are added only if the video has none, a caption only if none has its language
 * and the storage of the account has room for it. Returns how many captions are left out for lack of room.
 * Call it in a transaction. Refuses with `video_not_found`.
 */
export async function addSourceExtras(
  tx: EntityManager,
  { accountId, videoId }: { accountId: number; videoId: string },
  { chapters, captions }: ExtrasToAdd,
): Promise<number> {
  await requireLockedVideo(tx, accountId, videoId)
  const leftBytes = await lockCaptionStorage(tx, accountId)
  if ((await listChapters(tx, videoId)).length === 0)
    for (const { start, end, title } of chapters)
      await insertChapter(tx, { videoId, title, startSeconds: start, endSeconds: end })
  const stored = await listCaptions(tx, videoId)
  const known = new Set(stored.map(({ languageCode }) => languageCode))
  const unknown = captions.filter(({ languageCode }) => !known.has(languageCode))
  const wanted = unknown.slice(0, CAPTIONS_MAX - stored.length)
  const added = fitting(wanted, leftBytes)
  if (added.length === 0) return wanted.length
  // The list is read again after the change.
  tx.clear()
  for (const caption of added)
    await putCaption(tx, { ...caption, videoId, sizeBytes: Buffer.byteLength(caption.content) })
  await announceCaptions(tx, accountId, videoId, await listCaptions(tx, videoId))
  return wanted.length - added.length
}

/** The captions, in order, that together have at most `leftBytes`. */
function fitting(captions: ExtrasToAdd['captions'], leftBytes: number): ExtrasToAdd['captions'] {
  let left = leftBytes
  return captions.filter(({ content }) => {
    const sizeBytes = Buffer.byteLength(content)
    if (sizeBytes > left) return false
    left -= sizeBytes
    return true
  })
}
