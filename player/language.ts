/** The languages that viewers are spoken to in; the first is for everybody else. */
export const LANGUAGES = ['en', 'de', 'es', 'fr', 'pt', 'ar'] as const

export type Language = (typeof LANGUAGES)[number]

const RIGHT_TO_LEFT: readonly Language[] = ['ar']

/** Which way a language is written, as HTML's `dir` has it. */
export const directionOf = (language: Language): 'ltr' | 'rtl' =>
  RIGHT_TO_LEFT.includes(language) ? 'rtl' : 'ltr'

/** The language of a BCP 47 tag, such as `de-AT`; null where it is not one of ours. */
export function languageOf(tag: string): Language | null {
  const [primary = ''] = tag.toLowerCase().split('-')
  return LANGUAGES.find((language) => language === primary) ?? null
}
