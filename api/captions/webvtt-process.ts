// A process of its own: WebVTT on stdin, its first fault as JSON on stdout.
import { text } from 'node:stream/consumers'
import { findWebVttError } from './find-webvtt-error.ts'

process.stdout.write(JSON.stringify(findWebVttError(await text(process.stdin))))
