import type { EntityManager } from '../../db/database.ts'
import { findPassages, type FoundPassage } from '../../db/search/find-passages.ts'
import {
  listSearchLanguages,
  readLexemes,
  readSought,
  type WordOf,
} from '../../db/search/read-lexemes.ts'
import { distinctMoments } from '../../domain/search/candidates.ts'
import {
  requiredTexts,
  webSearchText,
  type CaptionQuery,
} from '../../domain/search/caption-query.ts'
import type { Cue } from '../../domain/search/cues.ts'
import { momentIn, type Matcher, type Moment } from '../../domain/search/moments.ts'
import {
  primaryLanguageOf,
  searchLanguageOf,
  type SearchLanguage,
} from '../../domain/search/search-language.ts'
import { soughtText, wordsIn, type FoundWord } from '../../domain/search/words.ts'

/** What is sought in the captions of an account. */
export interface MomentSearch {
  accountId: number
  query: CaptionQuery
  /** BCP 47; also captions whose tag continues it. */
  tag?: string | undefined
  /** Null: videos without a folder. */
  folderId?: number | null | undefined
  limit: number
}

/** A moment of a video, with its caption and its video. */
export type FoundMoment = FoundPassage & Moment

/** Moments of a video are left out when a better one has the same time, or it has enough. */
const PASSAGES_PER_MOMENT = 2

/**
 * Finds the moments at which something is said, best first. Returns null if the search has no word that an index has, in any language of the
 * account's captions.
 */
export async function findMoments(
  em: EntityManager,
  { query, tag, limit, ...search }: MomentSearch,
): Promise<FoundMoment[] | null> {
  const languages = (await listSearchLanguages(em, search.accountId)).filter(
    ({ language }) => tag === undefined || language === primaryLanguageOf(tag),
  )
  if (languages.length === 0) return []
  const sought = await readSought(em, languages, ({ ignoresAccents }) =>
    webSearchText(query, ignoresAccents),
  )
  if (sought.length === 0) return null
  const within = tag?.includes('-') === true ? tag : undefined
  const passages = await findPassages(
    em,
    { ...search, sought, tag: within },
    limit * PASSAGES_PER_MOMENT,
  )
  return chooseMoments(em, passages, requiredTexts(query), limit)
}

/** Looks at no more passages than it needs for `limit` moments, so many at a time. */
async function chooseMoments(
  em: EntityManager,
  passages: readonly FoundPassage[],
  required: readonly string[],
  limit: number,
): Promise<FoundMoment[]> {
  const moments: FoundMoment[] = []
  let chosen: FoundMoment[] = []
  for (let at = 0; at < passages.length && chosen.length < limit; at += limit) {
    moments.push(...(await momentsOf(em, passages.slice(at, at + limit), required)))
    chosen = distinctMoments(moments, limit)
  }
  return chosen
}

/** Finds the moment of each passage by the lexemes of its words. */
async function momentsOf(
  em: EntityManager,
  passages: readonly FoundPassage[],
  required: readonly string[],
): Promise<FoundMoment[]> {
  const lexemes = new Lexemes()
  const read = passages.map((passage) => {
    const language = searchLanguageOf(passage.language)
    const cues = passage.cues.map(([startMs, endMs, text]): Cue => ({ startMs, endMs, text }))
    for (const text of [...required, ...cues.map((cue) => cue.text)]) lexemes.want(language, text)
    return { passage, language, cues }
  })
  await lexemes.read(em)
  return read.map(({ passage, language, cues }) => ({
    ...passage,
    ...momentIn(cues, lexemes.matcherFor(language, required)),
  }))
}

/** The words of texts and their lexemes, which PostgreSQL knows by the language. */
class Lexemes {
  readonly #words = new Map<string, FoundWord[]>()
  readonly #wanted = new Map<string, WordOf>()
  readonly #known = new Map<string, string[]>()

  want(language: SearchLanguage, text: string): void {
    const { configuration } = language
    for (const { word, unspaced } of this.#wordsOf(language, text))
      // Characters of scripts without spaces have no stems.
      if (unspaced === null) this.#wanted.set(keyOf(configuration, word), { configuration, word })
  }

  #wordsOf({ configuration, ignoresAccents }: SearchLanguage, text: string): FoundWord[] {
    const key = keyOf(configuration, text)
    const words = this.#words.get(key) ?? [...wordsIn(text, ignoresAccents)]
    this.#words.set(key, words)
    return words
  }

  async read(em: EntityManager): Promise<void> {
    const lexemes = await readLexemes(em, [...this.#wanted.values()])
    for (const [index, key] of [...this.#wanted.keys()].entries())
      this.#known.set(key, lexemes[index] ?? [])
  }

  matcherFor(language: SearchLanguage, required: readonly string[]): Matcher {
    const { configuration, ignoresAccents } = language
    const of = (word: string) => this.#known.get(keyOf(configuration, word)) ?? [word]
    const words = required.flatMap((text) => soughtText(text, ignoresAccents).split(' '))
    const sought = new Set(words.flatMap(of))
    return {
      wordsOf: (text) => this.#wordsOf(language, text),
      lexemesOf: (word) => of(word).filter((one) => sought.has(one)),
    }
  }
}

const keyOf = (configuration: string, word: string): string => `${configuration} ${word}`
