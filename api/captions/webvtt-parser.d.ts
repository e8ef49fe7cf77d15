declare module 'webvtt-parser' {
  interface WebVttError {
    message: string
    /** From 1. */
    line: number
  }
  interface WebVttParser {
    parse(input: string, mode: 'subtitles/captions/descriptions'): { errors: WebVttError[] }
  }
  const parser: { WebVTTParser: new () => WebVttParser }
  export default parser
}
