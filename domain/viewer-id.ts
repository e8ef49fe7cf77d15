import { VIEWER_ID_MAX_BYTES, VIEWER_ID_MAX_LENGTH } from './limits.ts'

const utf8 = new TextEncoder()

/**
 * True for text that a viewer token may carry (spec, "Limits"): 1 to 64 characters, at most 64 bytes,
 * no control characters, no line or paragraph separators.
 */
export function isViewerId(text: string): boolean {
  if (text.length === 0 || text.length > VIEWER_ID_MAX_LENGTH) return false
  if (utf8.encode(text).length > VIEWER_ID_MAX_BYTES) return false
  return text.isWellFormed() && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)
}

/** Space, format and default-ignorable characters, and the empty braille pattern: nothing is painted. */
const BLANK = /^[\p{Z}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u

/**
 * True for a viewer id that the API and the client sign: one that a person can read on a watermark as
 * it is. Bidirectional controls reorder the text around them, and a blank id marks nothing.
 */
export const isPlainViewerId = (text: string): boolean =>
  isViewerId(text) && !/\p{Bidi_Control}/u.test(text) && !BLANK.test(text)

/**
 * What is not painted, or not painted alike everywhere: a space at an edge or behind another space,
 * every other space, control, format, ignorable, unassigned and private characters, and the backslash
 * that begins what looks like an escape.
 */
const ESCAPED = /^ | $|(?<= ) |(?! )\p{Z}|[\p{C}\p{Default_Ignorable_Code_Point}\u2800]|\\(?=u\{)/gu

/**
 * A viewer id as a watermark shows it: `\u{202E}` in place of each character that cannot be seen. Two
 * different ids differ here too, and no id is blank.
 */
export const displayedViewerId = (viewerId: string): string =>
  viewerId.replaceAll(
    ESCAPED,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`,
  )
