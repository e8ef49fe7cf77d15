/** Languages of the pages and the controls. The first is the fallback. */
export const LANGUAGES = ['en', 'de', 'es', 'fr', 'pt', 'ar'] as const

export type Language = (typeof LANGUAGES)[number]

const RIGHT_TO_LEFT: readonly Language[] = ['ar']

/** Returns the value of HTML's `dir` attribute for a language. */
export const directionOf = (language: Language): 'ltr' | 'rtl' =>
  RIGHT_TO_LEFT.includes(language) ? 'rtl' : 'ltr'

/** Returns the supported language of a BCP 47 tag such as `de-AT`, or null. */
export function languageOf(tag: string): Language | null {
  const [primary = ''] = tag.toLowerCase().split('-')
  return LANGUAGES.find((language) => language === primary) ?? null
}
