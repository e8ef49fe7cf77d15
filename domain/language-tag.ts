/** The form of a BCP 47 language tag, in any case. */
export const LANGUAGE_TAG = /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/

/** What a text must be that is no language tag. */
export const LANGUAGE_TAG_RULE = 'must be a BCP 47 language tag such as en or pt-BR'

/** Returns a BCP 47 tag in its canonical form, so that `PT-br` and `pt-BR` are equal, and `eng` is `en`; null for a text that is none. */
export function canonicalLanguage(tag: string): string | null {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null
  } catch {
    return null
  }
}
