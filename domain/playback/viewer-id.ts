import { VIEWER_ID_MAX_BYTES, VIEWER_ID_MAX_LENGTH } from '../limits.ts'

const utf8 = new TextEncoder()

/**
 * True for a text that a viewer token may contain (contract, "Limits"): 1 to 64 characters, at most 64 bytes,
 * no control characters, no line or paragraph separators.
 */
export function isViewerId(text: string): boolean {
  if (text.length === 0 || text.length > VIEWER_ID_MAX_LENGTH) return false
  if (utf8.encode(text).length > VIEWER_ID_MAX_BYTES) return false
  return text.isWellFormed() && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)
}

/**
 * Only spaces, format characters, ignorable characters, empty braille patterns and combining marks without a
 * base: nothing is visible.
 */
const BLANK = /^[\p{Z}\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}\u2800]*$/u

/**
 * True for a viewer id that the API and the SDK sign: one that is readable on a watermark as it is.
 * Bidirectional controls would reorder the text, and a blank id would be invisible.
 */
export const isPlainViewerId = (text: string): boolean =>
  isViewerId(text) && !/\p{Bidi_Control}/u.test(text) && !BLANK.test(text)

/**
 * The characters of a plain viewer id, in the form of regular expressions that other languages read too. It
 * does not say what `isPlainViewerId` also refuses: more than 64 bytes, and an id in which nothing is visible.
 */
export const PLAIN_VIEWER_ID_PATTERN = String.raw`^[^\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+$`

/**
 * Characters that are invisible or look different across systems: a space at an edge or after another
 * space; all other kinds of spaces; control, format, ignorable, unassigned and private-use characters; marks that
 * combine with none of the others. Also a backslash that looks like the start of an escape.
 */
const ESCAPED =
  /^ | $|(?<= ) |(?! )\p{Z}|[\p{C}\p{Default_Ignorable_Code_Point}\u2800]|(?<=(^|[\p{Z}\p{C}\p{Default_Ignorable_Code_Point}\u2800])\p{M}*)\p{M}|\\(?=u\{)/gu

/**
 * Returns a viewer id as watermarks show it, with invisible characters escaped as `\u{202E}`. The result
 * is never blank, and different ids have different results.
 */
export const displayedViewerId = (viewerId: string): string =>
  viewerId.replaceAll(
    ESCAPED,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`,
  )
