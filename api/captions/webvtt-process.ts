// Runs in a separate process: reads WebVTT from stdin, writes its first fault as JSON to stdout.
import { text } from 'node:stream/consumers'
import webvtt from 'webvtt-parser'

/**
 * Messages of the parser that mean that the file is not WebVTT, or that a cue is never shown. Players ignore all
 * other faults (an unknown setting, a stray escape, metadata after the signature), as the specification requires.
 */
const FATAL =
  /^(No valid signature|Cue identifier|No timestamp found|Timestamp must start|Timestamp must not have trailing|No time unit|Must be exactly two digits|No seconds found|No decimal separator|Milliseconds must|You cannot have more than 59|No valid timestamp separator|End timestamp is not greater)/

/** The parser takes 60 times the memory of its text, so it gets the text in pieces. */
const PIECE_LENGTH = 64 * 1024

interface Fault {
  message: string
  /** From 1. */
  line: number
}

/** The first fault of a WebVTT text; null if it has none. */
function findWebVttError(content: string): Fault | null {
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

function faultOf(piece: string): Fault | null {
  const { errors } = new webvtt.WebVTTParser().parse(piece, 'subtitles/captions/descriptions')
  const fault = errors.find(({ message }) => FATAL.test(message))
  return fault ? { message: fault.message, line: fault.line } : null
}

function countLines(piece: string): number {
  let count = 0
  for (let at = piece.indexOf('\n'); at !== -1; at = piece.indexOf('\n', at + 1)) count += 1
  return count
}

process.stdout.write(JSON.stringify(findWebVttError(await text(process.stdin))))
