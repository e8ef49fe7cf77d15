/**
 * Returns WebVTT for the bytes of a caption, which are WebVTT or SRT; null if they are neither. Only the times of SRT differ: they have a
 * comma (W3C WebVTT, section 4; SubRip has no standard).
 */
export function webVttOf(bytes: Uint8Array): string | null {
  const text = textOf(bytes)?.replace(/\r\n?/g, '\n')
  if (text === undefined || text.includes('\0')) return null
  if (/^WEBVTT(?=[ \t\n]|$)/.test(text)) return text
  return SRT_START.test(text)
    ? `WEBVTT\n\n${text.trimStart().replace(SRT_TIMES, '$1.$2 --> $3.$4')}`
    : null
}

/** An optional number, and the times of the first cue. */
const SRT_START = /^\s*(?:\d+[ \t]*\n)?\d{2,}:\d\d:\d\d,\d{3}[ \t]*-->/
/** SRT may have coordinates after the times. WebVTT has none. */
const SRT_TIMES = /^(\d{2,}:\d\d:\d\d),(\d{3})[ \t]*-->[ \t]*(\d{2,}:\d\d:\d\d),(\d{3})[^\n]*$/gm

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
