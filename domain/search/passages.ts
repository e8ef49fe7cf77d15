import type { Cue } from './cues.ts'

/** What the words of a search must be said within: about a minute at most. */
const PASSAGE_MS = 50_000
/** The limits of a passage of a file with many cues at one time, or of very long ones. */
const PASSAGE_CUES = 40
const PASSAGE_LENGTH = 2_000
/** A cue that begins so much later does not continue what was said. */
const PAUSE_MS = 10_000

/**
 * Yields the passages of cues in order. Each but the first begins with the last cue of the one before, unless a pause is between them: a sentence
 * that goes on is found whole.
 */
export function* passagesOf(cues: Iterable<Cue>): Generator<Cue[]> {
  let passage: Cue[] = []
  /** How many of them are the end of the passage before. */
  let repeated = 0
  for (const cue of cues) {
    if (passage.length > repeated && isFull(passage, cue)) {
      yield passage
      passage = beginningOf(passage, cue)
      repeated = passage.length
    }
    passage.push(cue)
  }
  if (passage.length > repeated) yield passage
}

function isFull(passage: readonly Cue[], next: Cue): boolean {
  const [first] = passage
  if (!first) return false
  const length = passage.reduce((sum, { text }) => sum + text.length, next.text.length)
  return (
    passage.length >= PASSAGE_CUES ||
    length > PASSAGE_LENGTH ||
    Math.abs(next.startMs - first.startMs) > PASSAGE_MS ||
    isAfterPause(passage, next)
  )
}

function beginningOf(passage: readonly Cue[], next: Cue): Cue[] {
  const last = passage.at(-1)
  return last && !isAfterPause(passage, next) ? [last] : []
}

function isAfterPause(passage: readonly Cue[], next: Cue): boolean {
  const last = passage.at(-1)
  return last !== undefined && Math.abs(next.startMs - last.endMs) > PAUSE_MS
}
