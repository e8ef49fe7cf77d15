import type { EntityManager } from '../../db/database.ts'
import { holdCaption, type ChangedCaption } from '../../db/search/caption-changes.ts'
import { isOnlyIndexer } from '../../db/search/index-lock.ts'
import {
  deleteCaptionChanges,
  deletePassages,
  insertPassages,
  type NewPassage,
} from '../../db/search/write-caption-passages.ts'
import { findCaption } from '../../db/videos/annotations.ts'
import { samplesOf } from '../../domain/search/candidates.ts'
import { cuesOf, textOf } from '../../domain/search/cues.ts'
import { passagesOf } from '../../domain/search/passages.ts'
import { searchLanguageOf } from '../../domain/search/search-language.ts'
import { indexedText } from '../../domain/search/words.ts'

/** A statement inserts so many, and the process does its other work between them. */
const BATCH_PASSAGES = 100

/**
 * Replaces the passages of a caption by those of its text, or deletes them if it is deleted, in one transaction with the record
 * that its changes are done. Safe to run twice, and to kill. Returns false, and changes nothing, while another transaction indexes.
 */
export const indexCaption = (em: EntityManager, changed: ChangedCaption): Promise<boolean> =>
  em.transactional(async (tx) => {
    if (!(await isOnlyIndexer(tx))) return false
    await deletePassages(tx, changed)
    const caption = await findCaption(tx, changed.videoId, changed.languageCode)
    if (caption) {
      await writePassages(tx, changed, caption.content)
      // It may have been deleted meanwhile. Held only now, so that a deletion does not wait for the whole text.
      if (!(await holdCaption(tx, changed))) await deletePassages(tx, changed)
    }
    await deleteCaptionChanges(tx, changed)
    return true
  })

async function writePassages(
  tx: EntityManager,
  changed: ChangedCaption,
  content: string,
): Promise<void> {
  const language = searchLanguageOf(changed.languageCode)
  let batch: NewPassage[] = []
  let number = 0
  for (const cues of passagesOf(cuesOf(content))) {
    batch.push({
      number,
      samples: samplesOf(changed.videoId, number),
      cues: cues.map(({ startMs, endMs, text }) => [startMs, endMs, text]),
      words: indexedText(textOf(cues), language.ignoresAccents),
    })
    number += 1
    if (batch.length < BATCH_PASSAGES) continue
    await insertPassages(tx, changed, language, batch)
    batch = []
  }
  if (batch.length > 0) await insertPassages(tx, changed, language, batch)
}
