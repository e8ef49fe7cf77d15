const LETTERS = 'abcdefghijklmnopqrstuvwxyz'.split('')

/**
 * Returns the code of three letters for a language (ISO 639-2), as MP4 has it: `eng` for `en-GB`. The runtime knows only the other direction.
 * Returns `und` for a language without one.
 */
export function threeLetters(language: string): string {
  const primary = language.split('-')[0]?.toLowerCase() ?? ''
  if (primary.length === 3) return primary
  for (const first of LETTERS)
    for (const second of LETTERS)
      for (const third of LETTERS) {
        const code = first + second + third
        if (Intl.getCanonicalLocales(code)[0] === primary) return code
      }
  return 'und'
}
