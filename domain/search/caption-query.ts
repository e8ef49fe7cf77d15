import { soughtText } from './words.ts'

/** A word or a phrase that is sought, or must not be there. */
interface SoughtTerm {
  text: string
  isExcluded: boolean
}

/** What a member or an integrator has typed: groups, of which one must be said, each with terms, all of which must. */
export type CaptionQuery = readonly (readonly SoughtTerm[])[]

const TERMS = /(-?)"([^"]*)"?|(\S+)/g

/**
 * Reads a search as search engines do: words that must all be said, phrases in quotes, a minus before what must not be said, and `OR`
 * in capitals between alternatives. Groups that only exclude are left out; none is left of a text without words.
 */
export function parseCaptionQuery(text: string): CaptionQuery {
  const groups: SoughtTerm[][] = [[]]
  for (const [, minus = '', phrase, word = ''] of text.matchAll(TERMS)) {
    if (phrase === undefined && word === 'OR') groups.push([])
    else groups.at(-1)?.push(termOf(phrase ?? word, minus, phrase === undefined))
  }
  return groups
    .map((terms) => terms.filter((term) => soughtText(term.text, false) !== ''))
    .filter((terms) => terms.some(({ isExcluded }) => !isExcluded))
}

const termOf = (text: string, minus: string, isWord: boolean): SoughtTerm =>
  isWord && /^-./.test(text)
    ? { text: text.slice(1), isExcluded: true }
    : { text, isExcluded: minus !== '' }

/** The query in the form that `websearch_to_tsquery` reads; each term is a phrase of words in the form of the index. */
export const webSearchText = (query: CaptionQuery, ignoresAccents: boolean): string =>
  query
    .map((terms) =>
      terms
        .map(
          ({ text, isExcluded }) => `${isExcluded ? '-' : ''}"${soughtText(text, ignoresAccents)}"`,
        )
        .join(' '),
    )
    .join(' or ')

/** The texts that must be said, of all groups. */
export const requiredTexts = (query: CaptionQuery): string[] =>
  query.flatMap((terms) => terms.filter(({ isExcluded }) => !isExcluded).map(({ text }) => text))
