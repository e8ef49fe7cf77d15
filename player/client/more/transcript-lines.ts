/** A line of the transcript. */
export interface TranscriptLine {
  /** Seconds. */
  start: number
  end: number
  text: string
}

/** Returns the lines of captions in the order of their cues, without markup and without lines that say nothing. */
export function linesOf(cues: Iterable<TextTrackCue>): TranscriptLine[] {
  const lines: TranscriptLine[] = []
  for (const cue of cues) {
    if (!('getCueAsHTML' in cue) || !(cue instanceof VTTCue)) continue
    const text = (cue.getCueAsHTML().textContent ?? '').replaceAll(/\s+/g, ' ').trim()
    if (text !== '') lines.push({ start: cue.startTime, end: cue.endTime, text })
  }
  return lines
}

/** Returns the index of the last line that has begun at a position, or -1 before the first. */
export function currentLine(lines: readonly TranscriptLine[], seconds: number): number {
  let low = 0
  let high = lines.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((lines[middle]?.start ?? Infinity) <= seconds) low = middle + 1
    else high = middle
  }
  return low - 1
}

/**
 * Splits a text at what is searched, without regard to case and accents: every second part is a match. One part if
 * nothing matches.
 */
export function splitAtMatches(text: string, search: string): string[] {
  const wanted = fold(search.trim())
  if (wanted === '') return [text]
  // Folded one by one, so that every character of the fold leads back to its place in the text.
  const places: number[] = []
  let folded = ''
  let offset = 0
  for (const character of text) {
    for (const one of fold(character)) {
      folded += one
      for (let unit = 0; unit < one.length; unit++) places.push(offset)
    }
    offset += character.length
  }
  const parts: string[] = []
  let from = 0
  for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, at + wanted.length)) {
    const start = places[at] ?? 0
    const end = places[at + wanted.length] ?? text.length
    parts.push(text.slice(from, start), text.slice(start, end))
    from = end
  }
  return [...parts, text.slice(from)]
}

const fold = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
