/** The output of a verb: JSON for programs, lines for people. */
export interface Output {
  isJson: boolean
  /** Writes `record` as one line of JSON under `--json`, otherwise `text`. */
  print(record: unknown, text: string): void
  /** Writes a line about the progress, which is no part of the result; nothing under `--json`. */
  note(line: string): void
  /** Shows a line of progress until the next output replaces it. Does nothing without a terminal. */
  draw(line: string): void
}

/** Its width; undefined if it does not say. */
export interface Terminal {
  columns?: number | undefined
}

const DEFAULT_COLUMNS = 80
const ERASE_LINE = '\r\u001B[2K'

/** Creates an Output, in which no text controls the terminal, that writes with `write`, and progress with `writeNote`, which may write to a terminal. */
export function createOutput(
  isJson: boolean,
  write: (text: string) => void,
  writeNote: (text: string) => void = () => {},
  terminal?: Terminal,
): Output {
  let isDrawn = false
  const erase = (): void => {
    if (isDrawn) writeNote(ERASE_LINE)
    isDrawn = false
  }
  return {
    isJson,
    note: (line) => {
      erase()
      if (!isJson) writeNote(`${printableLines(line)}\n`)
    },
    draw: (line) => {
      if (isJson || terminal === undefined) return
      // Some terminals wrap when the last column is used, and a wrapped line could not be replaced.
      const fitting = printable(line).slice(0, (terminal.columns || DEFAULT_COLUMNS) - 1)
      writeNote(ERASE_LINE + fitting)
      isDrawn = true
    },
    print: (record, text) => {
      erase()
      write(`${isJson ? jsonText(record) : printableLines(text)}\n`)
    },
  }
}

/** Formats rows under headings in padded columns; returns `empty` if there are none. */
export function table(headings: string[], rows: string[][], empty: string): string {
  if (rows.length === 0) return empty
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => printable(row[column] ?? '').length)),
  )
  return [headings, ...rows]
    .map((row) =>
      row
        .map((cell, column) => printable(cell).padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Formats `label  value` lines with the values in one column. */
export function fields(entries: [label: string, value: string][]): string {
  const width = Math.max(...entries.map(([label]) => label.length))
  return entries.map(([label, value]) => `${label.padEnd(width)}  ${printable(value)}`).join('\n')
}

/** Replaces control characters, because titles and names come from outside and must not control the terminal. */
export const printable = (text: string): string => text.replace(CONTROLS, '\u{FFFD}')

const CONTROLS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** The same for a text of several lines. */
export const printableLines = (text: string): string => text.split('\n').map(printable).join('\n')

/** The JSON of a value, in which such characters are escaped: it is read as what was given. */
export const jsonText = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(CONTROLS, (sign) =>
    sign === '\n' ? sign : sign.replace(/[^]/g, escapedUnit),
  )

const escapedUnit = (unit: string): string =>
  `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Formats `2026-11-22T05:13:45.123+00:00` as `2026-11-22 05:13:45 UTC`, for people. */
export const humaneTime = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`
