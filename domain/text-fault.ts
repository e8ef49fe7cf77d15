/** What a text may be. */
export interface TextRule {
  /** In code points, as in JSON Schema. */
  maxLength: number
  /** If false, the text must contain more than white space. */
  mayBeEmpty?: boolean
  /** Returns what is wrong with the text, or null. */
  fault?: (text: string) => string | null
}

/** Returns what is wrong with a text that PostgreSQL has to store: no NUL, no lone surrogate, and the rule. Null if nothing is. */
export function textFault(
  text: string,
  { maxLength, mayBeEmpty = false, fault }: TextRule,
): string | null {
  if (!text.isWellFormed() || text.includes('\0'))
    return 'must be well-formed text without NUL characters'
  if (!mayBeEmpty && text.trim() === '') return 'must not be empty'
  // A code point has one or two units, so most texts need not be counted.
  if (text.length > maxLength && codePoints(text) > maxLength)
    return `must be at most ${maxLength} characters`
  return fault?.(text) ?? null
}

function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}
