/** A word of a text, as it is sought, and its place in the text. */
export interface FoundWord {
  word: string
  start: number
  end: number
  /** Of a script without spaces: a pair of characters, or one of them; null for a word that stands by itself. */
  unspaced: 'pair' | 'single' | null
}

/** Longer ones are no words that are spoken, and PostgreSQL refuses those of more than 2 KB. */
const WORD_MAX_LENGTH = 100

/** With format characters, such as the joiners of Persian and soft hyphens, which are within words. */
const WORDS = /[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}\p{Cf}]*/gu
const PLAIN_WORDS = /[\p{L}\p{M}\p{N}]+/gu

/** Scripts that put no spaces between words, and Korean, which joins particles to them. */
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]+/gu

const ASCII = /^[0-9A-Za-z]+$/
const NO_WORD = /[^\p{L}\p{M}\p{N}]/gu
const VISIBLE = /\P{Cf}/gu
/** Format characters, and the sign that only makes Arabic words longer. */
const INVISIBLE = /[\p{Cf}\u0640]/gu
/** Hebrew points count as accents. */
const ACCENTED = /([\p{scx=Latn}\p{scx=Hebr}])\p{M}+/gu
/** Letters that have no form without their stroke. */
const STROKES: Readonly<Record<string, string>> = {
  đ: 'd',
  ł: 'l',
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  ß: 'ss',
}
const STROKED = /[đłøæœß]/g

/**
 * Yields the words of a text in the form in which they are sought: in lower case, whatever the locale of the database, and of one width.
 * A run of characters of a script without spaces is its overlapping pairs, by which every part of it is found, and then its single
 * characters.
 */
export function* wordsIn(text: string, ignoresAccents: boolean): Generator<FoundWord> {
  for (const run of matches(WORDS, text)) {
    if (ASCII.test(run.text)) yield* wordAt(run.text.toLowerCase(), run)
    else
      for (const part of divide(run))
        yield* part.isUnspaced ? unspacedWords(part) : spacedWords(part, ignoresAccents)
  }
}

interface Run {
  text: string
  start: number
}

function* matches(pattern: RegExp, text: string, offset = 0): Generator<Run> {
  for (const { 0: found, index } of text.matchAll(pattern))
    yield { text: found, start: offset + index }
}

/** Divides a run at the borders of scripts without spaces. */
function* divide({ text, start }: Run): Generator<Run & { isUnspaced: boolean }> {
  let end = 0
  const spaced = (to: number) => ({
    text: text.slice(end, to),
    start: start + end,
    isUnspaced: false,
  })
  for (const run of matches(UNSPACED, text)) {
    if (run.start > end) yield spaced(run.start)
    yield { text: run.text, start: start + run.start, isUnspaced: true }
    end = run.start + run.text.length
  }
  if (end < text.length) yield spaced(text.length)
}

function* spacedWords(run: Run, ignoresAccents: boolean): Generator<FoundWord> {
  const plain = run.text.replaceAll(INVISIBLE, '').normalize('NFKC').toLowerCase()
  const folded = ignoresAccents ? withoutAccents(plain) : plain
  for (const [word] of folded.matchAll(PLAIN_WORDS)) yield* wordAt(word, run)
}

const withoutAccents = (word: string): string =>
  word
    .normalize('NFD')
    .replaceAll(ACCENTED, '$1')
    .normalize('NFC')
    .replaceAll(STROKED, (letter) => STROKES[letter] ?? letter)

function* wordAt(word: string, { text, start }: Run): Generator<FoundWord> {
  if (word.length <= WORD_MAX_LENGTH)
    yield { word, start, end: start + text.length, unspaced: null }
}

function* unspacedWords({ text, start }: Run): Generator<FoundWord> {
  const characters = [...matches(VISIBLE, text, start)]
    .map((run) => ({ ...run, end: run.start + run.text.length, plain: plainCharacter(run.text) }))
    .filter(({ plain }) => plain !== '')
  for (const [index, { plain, ...own }] of characters.entries()) {
    const before = characters[index - 1]
    if (before)
      yield { word: before.plain + plain, start: before.start, end: own.end, unspaced: 'pair' }
  }
  const unspaced = characters.length > 1 ? 'single' : null
  for (const { plain, start: from, end } of characters)
    yield { word: plain, start: from, end, unspaced }
}

/** One in parentheses, such as U+3220, is without them. */
const plainCharacter = (character: string): string =>
  character.normalize('NFKC').toLowerCase().replaceAll(NO_WORD, '')

/**
 * Returns the words of a text that is written to the index, with spaces between them. Single characters come behind all others, so
 * that pairs stand beside each other.
 */
export function indexedText(text: string, ignoresAccents: boolean): string {
  const words: string[] = []
  const singles = new Set<string>()
  for (const { word, unspaced } of wordsIn(text, ignoresAccents))
    if (unspaced === 'single') singles.add(word)
    else words.push(word)
  return [...words, ...singles].join(' ')
}

/** Returns the words that must follow each other where a text is said, with spaces between them; empty if it has none. */
export const soughtText = (text: string, ignoresAccents: boolean): string =>
  [...wordsIn(text, ignoresAccents)]
    // The single characters of a run are in its pairs.
    .filter(({ unspaced }) => unspaced !== 'single')
    .map(({ word }) => word)
    .join(' ')
