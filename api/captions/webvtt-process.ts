// Runs in a separate process: reads WebVTT from stdin, writes its first fault as JSON to stdout.
import { text } from 'node:stream/consumers'
import { findWebVttError } from './find-web-vtt-error.ts'

process.stdout.write(JSON.stringify(findWebVttError(await text(process.stdin))))
