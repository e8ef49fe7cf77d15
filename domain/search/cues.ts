import { wholeCharacter } from './whole-character.ts'

/** What is said at a time of a video. */
export interface Cue {
  startMs: number
  endMs: number
  /** One line without markup. */
  text: string
}

const TIMES =
  /^[ \t]*(?:(\d{2,9}):)?(\d{2}):(\d{2})\.(\d{3})[ \t]*-->[ \t]*(?:(\d{2,9}):)?(\d{2}):(\d{2})\.(\d{3})/

/** Longer cues are cut: no person reads them, and each part of the index has a limit. */
const CUE_MAX_LENGTH = 500

/**
 * Yields the cues of a checked WebVTT text that say something, in the order of the file, without markup. A cue that is very long becomes
 * several of the same time.
 */
export function* cuesOf(webVtt: string): Generator<Cue> {
  for (const block of blocksOf(webVtt.replaceAll(/\r\n?/g, '\n'))) {
    const lines = block.split('\n')
    // The line of the times may follow a name of the cue.
    const at = lines.slice(0, 2).findIndex((line) => line.includes('-->'))
    const times = TIMES.exec(lines[at] ?? '')
    if (!times) continue
    const text = plainText(lines.slice(at + 1).join('\n'))
    const [startMs, endMs] = [timeAt(times, 1), timeAt(times, 5)]
    for (const part of partsOf(text)) yield { startMs, endMs, text: part }
  }
}

/** A blank line ends each block. Not `split`, which would hold all blocks of a long text at once. */
function* blocksOf(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const blank = text.indexOf('\n\n', start)
    const end = blank === -1 ? text.length : blank
    if (end > start) yield text.slice(start, end).replace(/^\n+/, '')
    start = end + 2
  }
}

const MS_PER_SECOND = 1000
const SECONDS_PER_MINUTE = 60
const MINUTES_PER_HOUR = 60

function timeAt(groups: RegExpExecArray, first: number): number {
  const [hours, minutes, seconds, ms] = groups
    .slice(first, first + 4)
    .map((group: string | undefined) => Number(group ?? 0)) as [number, number, number, number]
  const wholeMinutes = hours * MINUTES_PER_HOUR + minutes
  return (wholeMinutes * SECONDS_PER_MINUTE + seconds) * MS_PER_SECOND + ms
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  lrm: '\u200E',
  rlm: '\u200F',
}

/** A line break in Chinese or Japanese is no space. */
const BREAK_WITHOUT_SPACE =
  /(?<=[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}])\n(?=[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}])/gu

/** Returns what cues say one after the other. */
export const textOf = (cues: readonly Cue[]): string =>
  cues
    .map(({ text }) => text)
    .join('\n')
    .replaceAll(BREAK_WITHOUT_SPACE, '')

/** What is read out of the text of a cue: neither tags nor the readings of ruby. */
const plainText = (markup: string): string =>
  markup
    .replaceAll(/<rt[^<>]*>[^<]*(<\/rt>)?/g, '')
    .replaceAll(/<[^>]*>?/g, '')
    .replaceAll(/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-z]{2,4}));/g, decodeEntity)
    // One sign for each run first: a pattern that seeks the break within a run takes hours for a file of blank lines.
    .replaceAll(/\s+/g, (run) => (run.includes('\n') ? '\n' : ' '))
    .trim()
    .replaceAll(BREAK_WITHOUT_SPACE, '')
    .replaceAll('\n', ' ')

function decodeEntity(
  entity: string,
  decimal: string | undefined,
  hex: string | undefined,
  name: string | undefined,
): string {
  if (name !== undefined) return ENTITIES[name] ?? entity
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
  const isText = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
  return isText ? String.fromCodePoint(code) : ' '
}

function* partsOf(text: string): Generator<string> {
  let rest = text
  while (rest.length > CUE_MAX_LENGTH) {
    const space = rest.lastIndexOf(' ', CUE_MAX_LENGTH)
    const end = space > 0 ? space : wholeCharacter(rest, CUE_MAX_LENGTH)
    yield rest.slice(0, end)
    rest = rest.slice(end).trimStart()
  }
  if (rest !== '') yield rest
}
