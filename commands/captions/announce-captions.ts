import type { EntityManager } from '../../db/database.ts'
import { appendEvent } from '../events.ts'

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
