// Runs in a separate process: reads WebVTT from stdin, writes its first fault as JSON to stdout.
import { text } from 'node:stream/consumers'
import webvtt from 'webvtt-parser'

/**
 * Messages of the parser that mean that the file is not WebVTT, or that a cue is never shown. Players ignore all
 * other faults (an unknown setting, a stray escape, metadata after the signature), as the specification requires.
 */
const FATAL =
  /^(No valid signature|Cue identifier|No timestamp found|Timestamp must start|Timestamp must not have trailing|No time unit|Must be exactly two digits|No seconds found|No decimal separator|Milliseconds must|You cannot have more than 59|No valid timestamp separator|End timestamp is not greater)/

/** The first fault of a WebVTT text and its line, from 1; null if it has none. Slow on large texts. */
function findWebVttError(content: string) {
  // The parser does not know regions and treats the word as the name of a cue.
  const withoutRegions = content.replaceAll(/^REGION[ \t]*$/gm, 'NOTE')
  const parser = new webvtt.WebVTTParser()
  const { errors } = parser.parse(withoutRegions, 'subtitles/captions/descriptions')
  const fault = errors.find(({ message }) => FATAL.test(message))
  return fault ? { message: fault.message, line: fault.line } : null
}

process.stdout.write(JSON.stringify(findWebVttError(await text(process.stdin))))
