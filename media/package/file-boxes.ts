import type { FileHandle } from 'node:fs/promises'
import { BOX_HEAD_BYTES, Malformed } from './boxes.ts'

/** Where a box of a file is. */
export interface PlacedBox {
  type: string
  at: number
  /** With its head. */
  sizeBytes: number
  headBytes: number
}

/** Lists the boxes of a file without reading what they hold. Throws `Malformed`. */
export async function* boxesOfFile(file: FileHandle): AsyncGenerator<PlacedBox> {
  const { size: fileBytes } = await file.stat()
  for (let at = 0; at < fileBytes;) {
    const head = await bytesAt(file, at, 2 * BOX_HEAD_BYTES)
    const { sizeBytes, headBytes } = sizesOf(head)
    if (sizeBytes < headBytes || at + sizeBytes > fileBytes) throw new Malformed('a box is cut off')
    yield { type: head.toString('latin1', 4, 8), at, sizeBytes, headBytes }
    at += sizeBytes
  }
}

/** Of 64 bits if the size of 32 bits is 1: media of more than 4 GB. */
function sizesOf(head: Buffer): Pick<PlacedBox, 'sizeBytes' | 'headBytes'> {
  const size = head.readUInt32BE(0)
  if (size !== 1) return { sizeBytes: size, headBytes: BOX_HEAD_BYTES }
  return { sizeBytes: Number(head.readBigUInt64BE(BOX_HEAD_BYTES)), headBytes: 2 * BOX_HEAD_BYTES }
}

/** The bytes behind the end of the file are zero. */
export async function bytesAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  await file.read(bytes, 0, length, at)
  return bytes
}
