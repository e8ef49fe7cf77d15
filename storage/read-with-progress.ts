import { createReadStream } from 'node:fs'
import { pipeline, Transform, type Readable } from 'node:stream'

const PIECE_BYTES = 256 * 1024

/** Reads the file at `path`, and calls `onProgress` with each piece. The stream fails where reading fails. */
export function readWithProgress(path: string, onProgress?: () => void): Readable {
  const counted = new Transform({
    transform(piece: Buffer, _encoding, done) {
      onProgress?.()
      done(null, piece)
    },
  })
  pipeline(createReadStream(path, { highWaterMark: PIECE_BYTES }), counted, () => {})
  return counted
}
