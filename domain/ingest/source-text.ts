/**
 * Makes one line of a title that a file states: well-formed, with only characters that XML allows, without control
 * characters, and of at most `maxLength` UTF-16 units without half a character at its end. May be empty.
 */
export function sourceLine(text: string, maxLength: number): string {
  const line = text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\ufffe\uffff\s]+/gu, ' ')
    .trim()
  const cut = line.slice(0, maxLength)
  return (cut.isWellFormed() ? cut : cut.slice(0, -1)).trimEnd()
}

/** The greatest length of the title of an audio track. */
export const TRACK_TITLE_MAX_LENGTH = 100
