import { open, type FileHandle } from 'node:fs/promises'
import { boxesOfFile, bytesAt } from './file-boxes.ts'

/** The media of an MP4 file with one track: what its `mdat` boxes hold, one behind the other. */
export interface MediaPayload {
  /** Reads the next bytes; fewer at the end. */
  next(length: number): Promise<Buffer>
  close(): Promise<void>
}

/** Opens a file that a muxer has written in the order of its samples, as a whole or in fragments. `next` throws `Malformed`. */
export async function openMediaPayload(path: string): Promise<MediaPayload> {
  const file = await open(path)
  const ranges = mediaRanges(file)
  let [at, left] = [0, 0]
  return {
    async next(length) {
      const parts: Buffer[] = []
      for (let missing = length; missing > 0;) {
        if (left === 0) {
          const range = await ranges.next()
          if (range.done) break
          ;[at, left] = range.value
        }
        const bytes = await bytesAt(file, at, Math.min(left, missing))
        parts.push(bytes)
        at += bytes.length
        left -= bytes.length
        missing -= bytes.length
      }
      return Buffer.concat(parts)
    },
    close: () => file.close(),
  }
}

/** Where the media is: the first byte and the number of bytes of each part. */
async function* mediaRanges(file: FileHandle): AsyncGenerator<[number, number], undefined> {
  for await (const { type, at, sizeBytes, headBytes } of boxesOfFile(file))
    if (type === 'mdat') yield [at + headBytes, sizeBytes - headBytes]
  return undefined
}
