import type { EntityManager } from '../../db/database.ts'
import { listCaptions, type CaptionFacts } from '../../db/videos/annotations.ts'
import { deleteCaptionRow, putCaption } from '../../db/videos/write-annotations.ts'
import { CAPTIONS_MAX } from '../../domain/limits.ts'
import { appendEvent } from '../events.ts'
import { Refusal } from '../refusal.ts'
import { requireLockedVideo } from '../videos/lock-video.ts'
import { lockCaptionStorage, requireCaptionStorage } from './caption-storage.ts'

export interface CaptionToWrite {
  videoId: string
  /** BCP 47 in its canonical case. */
  languageCode: string
  label: string
  /** WebVTT. */
  content: string
}

/**
 * Adds a caption to a video, or replaces that of its language, and announces the list as `caption.ready`. Call it in
 * a transaction. Refuses with `too_many_captions`, `insufficient_storage` and `video_not_found`; and with `stale_edit` unless `isExpected` of the
 * caption that is stored, or null.
 */
export async function writeCaption(
  tx: EntityManager,
  accountId: number,
  caption: CaptionToWrite,
  isExpected: (stored: CaptionFacts | null) => boolean = () => true,
): Promise<CaptionFacts> {
  const { videoId, languageCode, content } = caption
  await requireLockedVideo(tx, accountId, videoId)
  const leftBytes = await lockCaptionStorage(tx, accountId)
  const replaced = (await listCaptions(tx, videoId)).find(
    (one) => one.languageCode === languageCode,
  )
  if (!isExpected(replaced ?? null)) throw new Refusal('stale_edit')
  const sizeBytes = Buffer.byteLength(content)
  requireCaptionStorage(sizeBytes - (replaced?.sizeBytes ?? 0), leftBytes)
  // The list is read again after the change.
  tx.clear()
  await putCaption(tx, { ...caption, sizeBytes })
  const captions = await listCaptions(tx, videoId)
  if (captions.length > CAPTIONS_MAX) throw new Refusal('too_many_captions')
  await announceCaptions(tx, accountId, videoId, captions)
  const written = captions.find((one) => one.languageCode === languageCode)
  if (!written) throw new Error('the caption that was just written is missing')
  return written
}

/**
 * Deletes a caption and announces the list as `caption.ready`. Call it in a transaction. Refuses with
 * `caption_not_found` and `video_not_found`.
 */
export async function deleteCaption(
  tx: EntityManager,
  accountId: number,
  videoId: string,
  languageCode: string,
): Promise<void> {
  await requireLockedVideo(tx, accountId, videoId)
  if (!(await deleteCaptionRow(tx, videoId, languageCode))) throw new Refusal('caption_not_found')
  await announceCaptions(tx, accountId, videoId, await listCaptions(tx, videoId))
}

/** Announces `caption.ready` with the whole list, even an empty one. Call it in the transaction that changed it. */
export async function announceCaptions(
  em: EntityManager,
  accountId: number,
  videoId: string,
  captions: { label: string; languageCode: string }[],
): Promise<void> {
  await appendEvent(em, {
    accountId,
    type: 'caption.ready',
    data: {
      id: videoId,
      object: 'video',
      captions: captions.map(({ label, languageCode }) => ({
        label,
        language_code: languageCode,
      })),
    },
  })
}
