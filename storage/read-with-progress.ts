import { createReadStream } from 'node:fs'
import { pipeline, Transform, type Readable } from 'node:stream'

const CHUNK_BYTES = 256 * 1024

/** Returns a stream that passes chunks on unchanged and calls `onProgress` with each. */
const withProgress = (onProgress?: () => void): Transform =>
  new Transform({
    transform(chunk: Buffer, _encoding, done) {
      onProgress?.()
      done(null, chunk)
    },
  })

/** Reads the file at `path` and calls `onProgress` with each chunk. The stream fails if reading fails. */
export function readWithProgress(path: string, onProgress?: () => void): Readable {
  const counted = withProgress(onProgress)
  pipeline(createReadStream(path, { highWaterMark: CHUNK_BYTES }), counted, () => {})
  return counted
}
