import webvtt from 'webvtt-parser'

/** What makes a text no WebVTT file. */
export interface WebVttFault {
  message: string
  /** From 1. */
  line: number
}

/**
 * The messages of the parser behind which a file is not WebVTT, or a cue of it is never shown.
 * Everything else (an unknown setting, a stray escape, metadata behind the signature) players
 * read over, as the WebVTT specification asks of them.
 */
const FATAL =
  /^(No valid signature|Cue identifier|No timestamp found|Timestamp must start|Timestamp must not have trailing|No time unit|Must be exactly two digits|No seconds found|No decimal separator|Milliseconds must|You cannot have more than 59|No valid timestamp separator|End timestamp is not greater)/

/** The first fault of a text that is to be WebVTT; null where there is none. Slow on large texts. */
export function findWebVttError(content: string): WebVttFault | null {
  // The parser is older than regions, and would take the word for the name of a cue.
  const withoutRegions = content.replaceAll(/^REGION[ \t]*$/gm, 'NOTE')
  const parser = new webvtt.WebVTTParser()
  const { errors } = parser.parse(withoutRegions, 'subtitles/captions/descriptions')
  const fault = errors.find(({ message }) => FATAL.test(message))
  return fault ? { message: fault.message, line: fault.line } : null
}
