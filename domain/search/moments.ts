import type { Cue } from './cues.ts'
import { wholeCharacter } from './whole-character.ts'
import type { FoundWord } from './words.ts'

/** A part of a snippet; those that match are what was sought. */
export interface SnippetPart {
  text: string
  isMatch: boolean
}

/** Where something is said. */
export interface Moment {
  startMs: number
  endMs: number
  /** Their texts together are the snippet. */
  snippet: SnippetPart[]
}

/** What of a text counts as a match. */
export interface Matcher {
  wordsOf: (text: string) => readonly FoundWord[]
  /** The lexemes of what is sought that a word stands for; none if it is not sought. */
  lexemesOf: (word: string) => readonly string[]
}

/** What was sought may be said across so many cues. */
const WINDOW_CUES = 3
/** A snippet goes on with the next cues until it is so long. */
const SNIPPET_LENGTH = 160
const SNIPPET_MAX_LENGTH = 320
/** So much is left before the first match of a snippet that is cut. */
const BEFORE_MATCH_LENGTH = 80
const CUT = '…'

interface Span {
  start: number
  end: number
}

interface MatchedCue extends Cue {
  spans: Span[]
  lexemes: Set<string>
}

/** Returns the moment of a passage at which most of what is sought is said, the shortest and the first of them. A passage has at least one cue. */
export function momentIn(passage: readonly Cue[], matcher: Matcher): Moment {
  const cues = passage.map((cue) => matched(cue, matcher))
  const { from, to } = bestWindow(cues)
  const [first, last] = [cues[from], cues[to - 1]]
  return {
    startMs: first?.startMs ?? 0,
    endMs: last?.endMs ?? 0,
    snippet: snippetOf(cues.slice(from), to - from),
  }
}

function matched(cue: Cue, { wordsOf, lexemesOf }: Matcher): MatchedCue {
  const spans: Span[] = []
  const lexemes = new Set<string>()
  for (const { word, start, end } of wordsOf(cue.text)) {
    const found = lexemesOf(word)
    if (found.length > 0) spans.push({ start, end })
    for (const lexeme of found) lexemes.add(lexeme)
  }
  return { ...cue, spans, lexemes }
}

function bestWindow(cues: readonly MatchedCue[]): { from: number; to: number } {
  let best = { from: 0, to: 1, count: 0 }
  for (let size = 1; size <= WINDOW_CUES; size += 1)
    for (let from = 0; from + size <= cues.length; from += 1) {
      const window = cues.slice(from, from + size)
      const count = new Set(window.flatMap(({ lexemes }) => [...lexemes])).size
      if (count > best.count) best = { from, to: from + size, count }
    }
  return best
}

/** Joins the cues of a window, the first `count`, and those that follow while there is room. */
function snippetOf(cues: readonly MatchedCue[], count: number): SnippetPart[] {
  let text = ''
  const spans: Span[] = []
  for (const [index, cue] of cues.entries()) {
    if (index >= count && text.length + cue.text.length > SNIPPET_LENGTH) break
    if (text !== '') text += ' '
    for (const { start, end } of cue.spans)
      spans.push({ start: start + text.length, end: end + text.length })
    text += cue.text
  }
  return cutParts(text, merged(spans))
}

/** Joins spans that overlap or touch, as pairs of characters do. */
function merged(spans: readonly Span[]): Span[] {
  const result: Span[] = []
  for (const span of spans.toSorted((one, other) => one.start - other.start)) {
    const last = result.at(-1)
    if (last && span.start <= last.end) last.end = Math.max(last.end, span.end)
    else result.push({ ...span })
  }
  return result
}

/** Divides a text at its matches. What is too long is cut at spaces, with its first match left in. */
function cutParts(text: string, spans: readonly Span[]): SnippetPart[] {
  const { start, end } = shownOf(text, spans[0]?.start ?? 0)
  const parts: SnippetPart[] = []
  const add = (from: number, to: number, isMatch: boolean) => {
    const part = text.slice(Math.max(from, start), Math.min(to, end))
    if (part !== '') parts.push({ text: part, isMatch })
  }
  if (start > 0) parts.push({ text: CUT, isMatch: false })
  let done = start
  for (const span of spans) {
    add(done, span.start, false)
    add(span.start, span.end, true)
    done = Math.max(done, span.end)
  }
  add(done, text.length, false)
  if (end < text.length) parts.push({ text: CUT, isMatch: false })
  return parts
}

function shownOf(text: string, firstMatch: number): Span {
  if (text.length <= SNIPPET_MAX_LENGTH) return { start: 0, end: text.length }
  const wanted = Math.max(0, firstMatch - BEFORE_MATCH_LENGTH)
  const start = wanted === 0 ? 0 : afterSpace(text, wanted, firstMatch)
  const last = start + SNIPPET_MAX_LENGTH
  if (last >= text.length) return { start, end: text.length }
  const space = text.lastIndexOf(' ', last)
  return { start, end: space > firstMatch ? space : wholeCharacter(text, last) }
}

/** The first place after a space from `from` on, or else the start of a character, at most `to`. */
function afterSpace(text: string, from: number, to: number): number {
  const space = text.indexOf(' ', from)
  return space === -1 || space >= to ? wholeCharacter(text, from) : space + 1
}
