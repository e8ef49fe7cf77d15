import { sql } from 'kysely'
import { searchLanguageOf, type SearchLanguage } from '../../domain/search/search-language.ts'
import { records } from '../audience/records.ts'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'
import type { SoughtIn } from './find-passages.ts'

/** Lists the languages of an account's indexed captions. Each costs one look into an index. */
export async function listSearchLanguages(
  em: EntityManager,
  accountId: number,
): Promise<SearchLanguage[]> {
  const { rows } = await sql<{ language: string }>`
    with recursive found (language) as (
      (select language from caption_passage where account_id = ${accountId} order by language limit 1)
      union all select (select p.language from caption_passage p
          where p.account_id = ${accountId} and p.language > f.language order by p.language limit 1)
        from found f where f.language is not null)
    select language from found where language is not null`.execute(queries(em))
  return rows.map(({ language }) => searchLanguageOf(language))
}

/**
 * Turns a search into a query of words for each language, as their configurations do. Leaves languages out in which it has only words that
 * are too frequent to be in the index, or nothing but exclusions.
 */
export async function readSought(
  em: EntityManager,
  languages: readonly SearchLanguage[],
  webSearchOf: (language: SearchLanguage) => string,
): Promise<SoughtIn[]> {
  const texts = languages.map((one) => ({
    language: one.language,
    configuration: one.configuration,
    text: webSearchOf(one),
  }))
  const { rows } = await sql<SoughtIn>`
    select language, query::text as ts_query from (
      select d.language, websearch_to_tsquery(d.configuration::regconfig, d.text) as query
      from ${records(texts, { language: 'text', configuration: 'text', text: 'text' })}) q
    where querytree(query) not in ('', 'T')`.execute(queries(em))
  return rows
}

/** A word in the form of the index, by the configuration of its language. */
export interface WordOf {
  configuration: string
  word: string
}

/** Reads the lexemes that words stand for, in the order of the words. */
export async function readLexemes(
  em: EntityManager,
  words: readonly WordOf[],
): Promise<string[][]> {
  const { rows } = await sql<{ lexemes: string[] }>`
    select tsvector_to_array(to_tsvector(d.configuration::regconfig, d.word)) as lexemes
    from (select row_number() over () as place, d.* from ${records(words, { configuration: 'text', word: 'text' })}) d
    order by d.place`.execute(queries(em))
  return rows.map(({ lexemes }) => lexemes)
}
