import { sql } from 'kysely'
import type { SearchLanguage } from '../../domain/search/search-language.ts'
import type { EntityManager } from '../database.ts'
import type { StoredCue } from '../entities/caption-search.ts'
import { queries } from '../queries.ts'
import type { ChangedCaption } from './caption-changes.ts'
import { sampleLexeme, scopeLexeme } from './scope-lexemes.ts'

type CaptionKey = Pick<ChangedCaption, 'accountId' | 'videoId' | 'languageCode'>

/** A passage that is written to the index. */
export interface NewPassage {
  number: number
  samples: number[]
  cues: StoredCue[]
  /** Its words in the form in which they are sought, with spaces between them. */
  words: string
}

/** Inserts passages of a caption. */
export async function insertPassages(
  em: EntityManager,
  { accountId, videoId, languageCode }: CaptionKey,
  { language, configuration }: SearchLanguage,
  passages: readonly NewPassage[],
): Promise<void> {
  const rows = passages.map(({ samples, ...passage }) => ({
    ...passage,
    lexemes: [scopeLexeme(accountId, language), ...samples.map(sampleLexeme)],
  }))
  await sql`
    insert into caption_passage (video_id, language_code, number, account_id, language, cues, words)
    select ${videoId}, ${languageCode}, p.number, ${accountId}::int, ${language}, p.cues,
      array_to_tsvector(p.lexemes) || to_tsvector(${configuration}::regconfig, p.words)
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) p (number int, cues jsonb, words text, lexemes text[])`.execute(
    queries(em),
  )
}

/** Deletes the passages of a caption. */
export async function deletePassages(
  em: EntityManager,
  { videoId, languageCode }: CaptionKey,
): Promise<void> {
  await queries(em)
    .deleteFrom('caption_passage')
    .where('videoId', '=', videoId)
    .where('languageCode', '=', languageCode)
    .execute()
}

/** Deletes changes whose captions are indexed. */
export async function deleteCaptionChanges(
  em: EntityManager,
  { accountId, changeIds }: ChangedCaption,
): Promise<void> {
  await queries(em)
    .deleteFrom('caption_change')
    .where('accountId', '=', accountId)
    .where('id', 'in', changeIds)
    .execute()
}
