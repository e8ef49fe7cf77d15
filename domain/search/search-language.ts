/** How the text of a language is sought. */
export interface SearchLanguage {
  /** The primary language of its captions, such as `pt` of `pt-BR`. */
  language: string
  /** The text search configuration of PostgreSQL, which knows the stems of its words. */
  configuration: string
  /** True if letters with and without accents count as the same, because no stem depends on them. */
  ignoresAccents: boolean
}

/** The configurations with a stemmer, which PostgreSQL has since 14. Text of other languages is sought word by word. */
const CONFIGURATIONS: Readonly<Record<string, string>> = {
  ar: 'arabic',
  ca: 'catalan',
  da: 'danish',
  de: 'german',
  el: 'greek',
  en: 'english',
  es: 'spanish',
  eu: 'basque',
  fi: 'finnish',
  fr: 'french',
  ga: 'irish',
  hi: 'hindi',
  hu: 'hungarian',
  hy: 'armenian',
  id: 'indonesian',
  it: 'italian',
  lt: 'lithuanian',
  nb: 'norwegian',
  ne: 'nepali',
  nl: 'dutch',
  nn: 'norwegian',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sr: 'serbian',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
  yi: 'yiddish',
}

const WITHOUT_STEMS = 'simple'

/** The other stemmers read accents: `é` ends another word than `e`. */
const IGNORING_ACCENTS: readonly string[] = [WITHOUT_STEMS, 'english', 'indonesian', 'dutch']

/** The primary language of a BCP 47 tag. */
export const primaryLanguageOf = (tag: string): string => tag.split('-')[0]?.toLowerCase() ?? ''

/** How captions with a BCP 47 tag are sought. */
export function searchLanguageOf(tag: string): SearchLanguage {
  const language = primaryLanguageOf(tag)
  const configuration = CONFIGURATIONS[language] ?? WITHOUT_STEMS
  return { language, configuration, ignoresAccents: IGNORING_ACCENTS.includes(configuration) }
}
