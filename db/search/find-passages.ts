import { sql, type RawBuilder } from 'kysely'
import {
  bestCandidates,
  CANDIDATES_MAX,
  SAMPLES,
  sampleToRank,
  type Candidate,
} from '../../domain/search/candidates.ts'
import type { EntityManager } from '../database.ts'
import type { StoredCue } from '../entities/caption-search.ts'
import type { Video } from '../entities/video.ts'
import { queries } from '../queries.ts'
import { sampleLexeme, scopeLexeme } from './scope-lexemes.ts'

/** What is sought in the captions of one language: a `tsquery` of its words as text. */
export interface SoughtIn {
  language: string
  tsQuery: string
}

/** Which passages are sought. */
export interface PassageSearch {
  accountId: number
  sought: readonly SoughtIn[]
  /** Only captions with this BCP 47 tag, or with one that continues it. */
  tag?: string | undefined
  /** Only videos of this folder; null for those without one. */
  folderId?: number | null | undefined
}

/** A passage that was found, with what is shown of its caption and its video. */
export interface FoundPassage {
  videoId: string
  languageCode: string
  /** Its primary language. */
  language: string
  label: string
  cues: StoredCue[]
  title: string
  status: Video['status']
  externalId: string | null
  durationMs: number | null
  hasPoster: boolean
  posterVersion: number
}

/** The videos of a folder with so few are named to the index; those of a larger one are met soon. */
const NAMED_VIDEOS_MAX = 2_000

/**
 * Finds the passages of the account's videos in which something is said, best first, up to `limit` and few of each video. Of more than
 * about 4,000 that match, an even sample is ranked (ADR 0073). Only videos that play and captions that exist.
 */
export const findPassages = (
  em: EntityManager,
  search: PassageSearch,
  limit: number,
): Promise<FoundPassage[]> =>
  em.transactional(
    async (tx) => {
      const videoIds = await listNamedVideos(tx, search)
      if (videoIds?.length === 0) return []
      // The planner does not know how many passages of an account match, and a wrong guess would read the whole table.
      await tx.execute('set local enable_seqscan = off')
      await tx.execute('set local jit = off')
      const candidates = await readCandidates(tx, search, videoIds)
      return readFound(tx, search, bestCandidates(candidates, limit))
    },
    { readOnly: true },
  )

/** The videos of a small folder; null if the search is not within one. */
async function listNamedVideos(
  em: EntityManager,
  { accountId, folderId }: PassageSearch,
): Promise<string[] | null> {
  if (folderId === undefined) return null
  const rows = await queries(em)
    .selectFrom('video')
    .select('id')
    .where('accountId', '=', accountId)
    .where('deletedAt', 'is', null)
    .where('folderId', folderId === null ? 'is' : '=', folderId)
    .limit(NAMED_VIDEOS_MAX + 1)
    .execute()
  return rows.length > NAMED_VIDEOS_MAX ? null : rows.map(({ id }) => id)
}

/** Reads what matches: all, or of too much an even sample. */
async function readCandidates(
  em: EntityManager,
  search: PassageSearch,
  videoIds: string[] | null,
): Promise<Candidate[]> {
  const smallest = await readSample(em, search, videoIds, SAMPLES)
  const sample = sampleToRank(smallest.length)
  return sample === SAMPLES ? smallest : readSample(em, search, videoIds, sample)
}

/** Reads what matches in a sample; 0 for all. */
async function readSample(
  em: EntityManager,
  search: PassageSearch,
  videoIds: string[] | null,
  sample: number,
): Promise<Candidate[]> {
  const { sought, tag } = search
  const words = sought.map(({ tsQuery }) => `(${tsQuery})`).join(' | ')
  const conditions = [
    sql`p.words @@ ${scopedQuery(search, sample)}::tsquery`,
    isInVideo(search),
    ...(tag === undefined
      ? []
      : [sql`(p.language_code = ${tag} or starts_with(p.language_code, ${`${tag}-`}))`]),
    ...(videoIds === null ? [] : [sql`p.video_id = any(${videoIds}::text[])`]),
  ]
  const { rows } = await sql<Candidate>`
    select p.video_id, p.language_code, p.number, ts_rank_cd(p.words, ${words}::tsquery)::float8 as rank
    from caption_passage p where ${sql.join(conditions, sql` and `)} limit ${CANDIDATES_MAX}`.execute(
    queries(em),
  )
  return rows
}

/** As a subquery, so that a video is looked at for each passage of the index, and no passages for each video. */
const isInVideo = ({ folderId }: PassageSearch): RawBuilder<unknown> => {
  const folder =
    folderId === undefined ? sql`true` : sql`v.folder_id is not distinct from ${folderId}::bigint`
  return sql`(select v.deleted_at is null and v.status in ('playable', 'ready') and ${folder} from video v where v.id = p.video_id)`
}

/** The words of each language within its scope, and within a sample. Languages with the same words share them. */
function scopedQuery({ accountId, sought }: PassageSearch, sample: number): string {
  const scopes = new Map<string, string[]>()
  for (const { language, tsQuery } of sought)
    scopes.set(tsQuery, [...(scopes.get(tsQuery) ?? []), quoted(scopeLexeme(accountId, language))])
  const words = [...scopes].map(([tsQuery, of]) => `(${of.join(' | ')}) & (${tsQuery})`)
  const all = `(${words.join(' | ')})`
  return sample === 0 ? all : `${all} & ${quoted(sampleLexeme(sample))}`
}

const quoted = (lexeme: string): string => `'${lexeme}'`

/** Reads the passages of candidates, in their order, without those that are gone. */
async function readFound(
  em: EntityManager,
  { accountId }: PassageSearch,
  candidates: readonly Candidate[],
): Promise<FoundPassage[]> {
  const keys = candidates.map(({ videoId, languageCode, number }, place) => ({
    video_id: videoId,
    language_code: languageCode,
    number,
    place,
  }))
  const { rows } = await sql<FoundPassage>`
    select p.video_id, p.language_code, p.language, c.label, p.cues, v.title, v.status, v.external_id, v.duration_ms,
      v.has_poster, v.poster_version
    from jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) k (video_id text, language_code text, number int, place int)
      join caption_passage p on (p.video_id, p.language_code, p.number) = (k.video_id, k.language_code, k.number)
      join caption c on (c.video_id, c.language_code) = (k.video_id, k.language_code)
      join video v on v.id = k.video_id
    where v.account_id = ${accountId} and v.deleted_at is null and v.status in ('playable', 'ready')
    order by k.place`.execute(queries(em))
  return rows
}
