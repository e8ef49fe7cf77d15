import { createDecipheriv } from 'node:crypto'
import type { EncryptionBoxes } from '../../domain/drm/encryption-boxes.ts'
import { boxesOf, inside, Malformed, only, type Box } from './boxes.ts'
import { fragmentOf } from './fragments.ts'

const BLOCK_BYTES = 16

/** How the samples of a track are encrypted, from its init segment, and the key. */
export type TrackKey = EncryptionBoxes & { key: Buffer }

/** What a media segment holds once it is decrypted. */
export interface DecryptedSegment {
  /** The decoding time of its first sample. */
  startTicks: number
  /** Its samples, one behind the other. */
  media: Buffer
}

/**
 * Decrypts a media segment by Common Encryption (ISO/IEC 23001-7): `cenc` (section 10.1) and `cbcs` (section 10.4), with or
 * without subsamples. A second implementation beside the packager, so that it does not repeat its faults. Throws `Malformed`.
 */
export function decryptSegment(segment: Buffer, track: TrackKey): DecryptedSegment {
  const boxes = boxesOf(segment)
  const parts: Buffer[] = []
  let startTicks: number | null = null
  for (const [index, moof] of boxes.entries()) {
    if (moof.type !== 'moof') continue
    const media = boxes[index + 1]
    if (media?.type !== 'mdat') throw new Malformed('there is no mdat behind a moof')
    const fragment = fragmentOf(moof)
    startTicks ??= fragment.startTicks
    parts.push(decryptFragment(moof, fragment.samples, media.body, track))
  }
  if (startTicks === null) throw new Malformed('there is no moof')
  return { startTicks, media: Buffer.concat(parts) }
}

function decryptFragment(
  moof: Box,
  samples: readonly { sizeBytes: number }[],
  media: Buffer,
  track: TrackKey,
): Buffer {
  const encryption = sampleEncryption(moof, samples.length, track)
  const clear = Buffer.from(media)
  let at = 0
  for (const [index, { sizeBytes }] of samples.entries()) {
    if (at + sizeBytes > clear.length) throw new Malformed('a sample is cut off')
    decryptSample(clear.subarray(at, at + sizeBytes), encryption[index] ?? WHOLE, track)
    at += sizeBytes
  }
  if (at !== clear.length) throw new Malformed('there are bytes that belong to no sample')
  return clear
}

interface SampleEncryption {
  /** Of `cenc`; empty for `cbcs`, whose IV is that of the track. */
  iv: Buffer
  /** The clear and the protected bytes, in turns; null if all bytes are protected. */
  subsamples: { clearBytes: number; protectedBytes: number }[] | null
}

const WHOLE: SampleEncryption = { iv: Buffer.alloc(0), subsamples: null }
const HAS_SUBSAMPLES = 0x2

/** Reads `senc` (section 7.2). A track whose samples are all protected as a whole, with one IV, may have none. */
function sampleEncryption(moof: Box, count: number, track: TrackKey): SampleEncryption[] {
  const traf = inside(moof, 'traf')
  const body = traf && only(boxesOf(traf.body), 'senc')?.body
  if (!body) return []
  const hasSubsamples = (body.readUIntBE(1, 3) & HAS_SUBSAMPLES) !== 0
  if (body.readUInt32BE(4) !== count) throw new Malformed('senc has another number of samples')
  let at = 8
  return Array.from({ length: count }, () => {
    const iv = body.subarray(at, (at += track.perSampleIvBytes))
    if (!hasSubsamples) return { iv, subsamples: null }
    const parts = body.readUInt16BE(at)
    at += 2
    const subsamples = Array.from({ length: parts }, () => {
      at += 6
      return { clearBytes: body.readUInt16BE(at - 6), protectedBytes: body.readUInt32BE(at - 4) }
    })
    return { iv, subsamples }
  })
}

/** Decrypts a sample in its own bytes. */
function decryptSample(
  sample: Buffer,
  { iv, subsamples }: SampleEncryption,
  track: TrackKey,
): void {
  const parts = protectedParts(sample, subsamples)
  if (track.scheme === 'cbcs') for (const part of parts) decryptBlocks(part, track)
  else if (track.scheme === 'cenc') decryptStream(parts, iv, track.key)
  else throw new Malformed(`the scheme ${track.scheme} is not supported`)
}

function protectedParts(sample: Buffer, subsamples: SampleEncryption['subsamples']): Buffer[] {
  if (subsamples === null) return [sample]
  let at = 0
  const parts = subsamples.map(({ clearBytes, protectedBytes }) => {
    const start = at + clearBytes
    at = start + protectedBytes
    return sample.subarray(start, at)
  })
  if (at !== sample.length) throw new Malformed('the subsamples are not the sample')
  return parts
}

/** AES-CTR, whose counter goes on from one protected part of the sample to the next. */
function decryptStream(parts: readonly Buffer[], iv: Buffer, key: Buffer): void {
  const counter = Buffer.alloc(BLOCK_BYTES)
  iv.copy(counter)
  const decipher = createDecipheriv('aes-128-ctr', key, counter)
  for (const part of parts) decipher.update(part).copy(part)
}

/** AES-CBC over the blocks of a pattern, each part from the constant IV. What is less than a block is clear. */
function decryptBlocks(
  part: Buffer,
  { key, constantIvHex, encryptedBlocks, clearBlocks }: TrackKey,
): void {
  const period = encryptedBlocks + clearBlocks
  const isEncrypted = (block: number): boolean => period === 0 || block % period < encryptedBlocks
  const blocks = Array.from({ length: Math.floor(part.length / BLOCK_BYTES) }, (_, block) => block)
    .filter(isEncrypted)
    .map((block) => part.subarray(block * BLOCK_BYTES, (block + 1) * BLOCK_BYTES))
  const decipher = createDecipheriv('aes-128-cbc', key, Buffer.from(constantIvHex ?? '', 'hex'))
  const clear = decipher.setAutoPadding(false).update(Buffer.concat(blocks))
  for (const [index, block] of blocks.entries()) clear.copy(block, 0, index * BLOCK_BYTES)
}
