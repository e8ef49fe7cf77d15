import { sql, type RawBuilder } from 'kysely'
import { storedTag } from '../../domain/videos/own-data.ts'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'
import { tagKey } from './tag-keys.ts'
import type { VideoQuery } from './video-query.ts'

/** A term that a search requires, and how many videos have it, counted up to a limit. */
export interface SoughtTerm {
  /** A 64-bit integer. */
  term: string
  count: number
}

/** The terms of a search. */
export interface SoughtTerms {
  rarest: SoughtTerm
  others: SoughtTerm[]
  /** True if the only term is the folder or the status, which the row of a video says too. */
  isScopeAlone: boolean
}

/**
 * Reads the terms of a search; null if it has none. All of them are within the folder of the search, or else within its status
 * (ADR 0072).
 */
export async function readTerms(
  em: EntityManager,
  query: VideoQuery,
  countMax: number,
): Promise<SoughtTerms | null> {
  const facets = facetsOf(query)
  const scope = scopeOf(query)
  const names = facets.length > 0 || scope === null ? facets : [sql`select ${scope}::text`]
  if (names.length === 0) return null
  const { rows } = await sql<SoughtTerm>`
    select term::text, (select count(*)::int from (select from video_term t where t.account_id = ${query.accountId}
      and t.term = s.term limit ${countMax}) counted) as count
    from (select distinct term_of(facet) as term from (${sql.join(names, sql` union all `)}) f (facet)) s
    order by count`.execute(queries(em))
  const [rarest, ...others] = rows
  return rarest ? { rarest, others, isScopeAlone: facets.length === 0 } : null
}

const within = ({ folderId, status }: VideoQuery): string => {
  if (folderId !== undefined) return `folder:${folderId ?? 'none'} `
  return status === undefined ? '' : `status:${status} `
}

/** The name of the term for the folder, the status or both; null without any. */
function scopeOf(query: VideoQuery): string | null {
  const scope = within(query)
  if (scope === '') return null
  const { folderId, status } = query
  return folderId !== undefined && status !== undefined ? `${scope}status:${status} ` : scope
}

/** Selects of the names of terms, as the function `terms_of` of the database makes them. */
function facetsOf(query: VideoQuery): RawBuilder<unknown>[] {
  const { protection, tags = [], metadata = {}, words } = query
  const scope = within(query)
  const named = [
    ...(protection === undefined ? [] : [`protection:${protection}`]),
    ...Object.entries(metadata).map(([key, value]) => `metadata[${key}]=${value}`),
  ].map((name) => sql`select ${scope + name}::text`)
  const tagged = tags.map(
    (tag) => sql`select ${`${scope}tag:`} || ${tagKey(sql`${storedTag(tag)}::text`)}`,
  )
  const worded =
    words === undefined
      ? []
      : [
          sql`select ${`${scope}word:`} || word
          from unnest(coalesce(nullif(words_of(${words}), '{}'), array[''])) word`,
        ]
  return [...named, ...tagged, ...worded]
}
