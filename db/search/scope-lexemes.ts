/**
 * The lexeme of the passages of an account in one language. It has no word's form, because words have only letters and digits; so the
 * index knows whose words it has.
 */
export const scopeLexeme = (accountId: number, language: string): string =>
  `${accountId}/${language}`

/** The lexeme of the passages of a sample. */
export const sampleLexeme = (sample: number): string => `#${sample}`
