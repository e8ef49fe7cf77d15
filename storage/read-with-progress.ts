import { createReadStream } from 'node:fs'
import { pipeline, Transform, type Readable } from 'node:stream'

const PIECE_BYTES = 256 * 1024

/** Returns a stream that passes pieces on unchanged, and calls `onProgress` with each. */
export const withProgress = (onProgress?: () => void): Transform =>
  new Transform({
    transform(piece: Buffer, _encoding, done) {
      onProgress?.()
      done(null, piece)
    },
  })

/** Reads the file at `path`, and calls `onProgress` with each piece. The stream fails where reading fails. */
export function readWithProgress(path: string, onProgress?: () => void): Readable {
  const counted = withProgress(onProgress)
  pipeline(createReadStream(path, { highWaterMark: PIECE_BYTES }), counted, () => {})
  return counted
}
