import { open, type FileHandle } from 'node:fs/promises'
import { BOX_HEAD_BYTES, Malformed } from './boxes.ts'

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
  const { size: fileBytes } = await file.stat()
  for (let at = 0; at < fileBytes;) {
    const head = await bytesAt(file, at, Math.min(2 * BOX_HEAD_BYTES, fileBytes - at))
    const { headBytes, boxBytes } = sizesOf(head)
    if (boxBytes < headBytes || at + boxBytes > fileBytes) throw new Malformed('a box is cut off')
    if (head.toString('latin1', 4, 8) === 'mdat') yield [at + headBytes, boxBytes - headBytes]
    at += boxBytes
  }
  return undefined
}

/** Of 64 bits if the size of 32 bits is 1: media of more than 4 GB. */
function sizesOf(head: Buffer): { headBytes: number; boxBytes: number } {
  if (head.length < BOX_HEAD_BYTES) throw new Malformed('a box is cut off')
  const size = head.readUInt32BE(0)
  if (size !== 1) return { headBytes: BOX_HEAD_BYTES, boxBytes: size }
  if (head.length < 2 * BOX_HEAD_BYTES) throw new Malformed('a box is cut off')
  return { headBytes: 2 * BOX_HEAD_BYTES, boxBytes: Number(head.readBigUInt64BE(BOX_HEAD_BYTES)) }
}

async function bytesAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  const { bytesRead } = await file.read(bytes, 0, length, at)
  if (bytesRead < length) throw new Malformed('the file is cut off')
  return bytes
}
