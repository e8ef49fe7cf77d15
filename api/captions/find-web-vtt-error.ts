import webvtt from 'webvtt-parser'

/**
 * Messages of the parser that mean that the file is not WebVTT, or that a cue is never shown. Players ignore all
 * other faults (an unknown setting, a stray escape, metadata after the signature), as the specification requires.
 */
const FATAL =
  /^(No valid signature|Cue identifier|No timestamp found|Timestamp must start|Timestamp must not have trailing|No time unit|Must be exactly two digits|No seconds found|No decimal separator|Milliseconds must|You cannot have more than 59|No valid timestamp separator|End timestamp is not greater)/

/** The parser takes 60 times the memory of its text, so it gets the text in pieces. */
const PIECE_LENGTH = 64 * 1024

/** Why a text is not WebVTT. */
export interface WebVttFault {
  message: string
  /** From 1. */
  line: number
}

/** Returns the first fault of a WebVTT text; null if it has none. */
export function findWebVttError(content: string): WebVttFault | null {
  // The parser does not know regions and treats the word as the name of a cue.
  const lines = content.replaceAll(/\r\n?/g, '\n').replaceAll(/^REGION[ \t]*$/gm, 'NOTE')
  let line = 0
  for (let start = 0; start < lines.length || start === 0;) {
    const end = endOfPiece(lines, start)
    const piece = lines.slice(start, end)
    const fault = start === 0 ? faultOf(piece) : faultOf(SIGNATURE + piece)
    if (fault) return start === 0 ? fault : { ...fault, line: fault.line - SIGNATURE_LINES + line }
    line += countLines(piece)
    start = Math.max(end, start + 1)
  }
  return null
}

const SIGNATURE = 'WEBVTT\n\n'
const SIGNATURE_LINES = 2

/** A blank line ends each block, so nothing that is fatal reaches beyond one. */
function endOfPiece(lines: string, start: number): number {
  const blank = lines.indexOf('\n\n', start + PIECE_LENGTH)
  return blank === -1 ? lines.length : blank + 2
}

function faultOf(piece: string): WebVttFault | null {
  try {
    const { errors } = new webvtt.WebVTTParser().parse(piece, 'subtitles/captions/descriptions')
    const fault = errors.find(({ message }) => FATAL.test(message))
    return fault ? { message: fault.message, line: fault.line } : null
  } catch (error) {
    // The parser calls itself for each tag inside a tag.
    if (error instanceof RangeError) return TOO_COMPLEX
    throw error
  }
}

/** The fault of a text that needs more than a parser gets. */
export const TOO_COMPLEX: WebVttFault = { message: 'It is too complex to be parsed.', line: 1 }

function countLines(piece: string): number {
  let count = 0
  for (let at = piece.indexOf('\n'); at !== -1; at = piece.indexOf('\n', at + 1)) count += 1
  return count
}
