import { readFile } from 'node:fs/promises'
import { MediaError } from '../media-error.ts'
import type { MediaWork } from '../run-tool.ts'
import { Malformed } from './boxes.ts'
import { decryptSegment, type TrackKey } from './decrypt-samples.ts'
import { readEncryptionBoxes } from './encryption-boxes.ts'
import { openMediaPayload, type MediaPayload } from './media-payload.ts'
import type { PackagedRendition } from './package-rendition.ts'
import type { PackagerKey } from './packager.ts'

export interface VerifyOptions extends Pick<MediaWork, 'signal' | 'onProgress'> {
  packaged: PackagedRendition
  /** The encoder's output. */
  encodedPath: string
  key: PackagerKey
}

/**
 * Verifies that the rendition decrypts with the stored key to what the encoder has written, byte for byte, and that the
 * segments of a picture start at the times of the manifest. Throws MediaError `verification_failed`.
 */
export async function verifyRendition(options: VerifyOptions): Promise<void> {
  const encoded = await openMediaPayload(options.encodedPath)
  try {
    await verifySegments(options, encoded)
  } catch (error) {
    throw error instanceof Malformed || error instanceof RangeError ? failed(error) : error
  } finally {
    await encoded.close()
  }
}

async function verifySegments(
  { packaged, key, signal, onProgress }: VerifyOptions,
  encoded: MediaPayload,
): Promise<void> {
  const { rendition, segmentPaths, initPath } = packaged
  const boxes = readEncryptionBoxes(await readFile(initPath))
  if (!boxes?.isProtected || segmentPaths.length === 0) throw failed()
  const track: TrackKey = { ...boxes, key: Buffer.from(key.keyHex, 'hex') }
  let ticks = packaged.startTicks
  for (const [index, path] of segmentPaths.entries()) {
    signal.throwIfAborted()
    const { startTicks, media } = decryptSegment(await readFile(path), track)
    if (!media.equals(await encoded.next(media.length))) throw failed()
    // The first audio segment also has the samples that a decoder discards; the manifest does not count them.
    if (rendition.kind === 'video' && startTicks !== ticks) throw failed()
    ticks += rendition.segments[index]?.durationTicks ?? 0
    onProgress?.()
  }
  if ((await encoded.next(1)).length > 0) throw failed()
}

const failed = (cause?: unknown): MediaError =>
  new MediaError(
    'verification_failed',
    'The encrypted video does not decrypt to what was encoded.',
    { cause },
  )
