import { randomFillSync } from 'node:crypto'
import { open, stat } from 'node:fs/promises'
import { digestFile } from '../../cli/backup/hash.ts'
import { makeSource } from '../fixtures/sources.ts'

/** A file of a short video, and of random bytes that players skip. */
export interface LargeVideo {
  path: string
  sizeBytes: number
  sha256: string
}

const CHUNK_BYTES = 8 << 20
const BOX_HEADER_BYTES = 16

/** Makes an MP4 of `sizeBytes`: two seconds of video, and a `free` box (ISO/IEC 14496-12, 8.1.2) that fills the rest. */
export async function makeLargeVideo(path: string, sizeBytes: number): Promise<LargeVideo> {
  await makeSource(path, { seconds: 2, size: '426x240', rate: 12, grain: false })
  const boxBytes = sizeBytes - (await stat(path)).size
  const file = await open(path, 'a')
  const header = Buffer.alloc(BOX_HEADER_BYTES)
  // Its size has 64 bits, which the 1 says.
  header.writeUInt32BE(1)
  header.write('free', 4, 'latin1')
  header.writeBigUInt64BE(BigInt(boxBytes), 8)
  await file.write(header)
  for (let left = boxBytes - BOX_HEADER_BYTES; left > 0; left -= CHUNK_BYTES)
    await file.write(randomFillSync(Buffer.alloc(Math.min(left, CHUNK_BYTES))))
  await file.close()
  return { path, sizeBytes, sha256: (await digestFile(path)).sha256 }
}
