import { dirname } from 'node:path'
import { inputArguments } from '../ffmpeg.ts'
import { MediaError } from '../media-error.ts'
import { runTool, type MediaWork } from '../run-tool.ts'
import { withDecrypted } from './decrypt-segment.ts'
import { readFragments } from './fragments.ts'
import type { PackagedRendition } from './package-rendition.ts'
import type { PackagerKey } from './packager.ts'

export interface VerifyOptions extends MediaWork {
  packaged: PackagedRendition
  /** The encoder's output. */
  encodedPath: string
  key: PackagerKey
}

/**
 * Verifies that the rendition decrypts to the encoder's output: the packager decrypts the first and the last
 * segment with the stored key, and their packets must equal the first and the last packets of the encode
 * byte for byte. Segments of a picture must start at the times of the manifest. Throws MediaError `verification_failed`.
 */
export async function verifyRendition(options: VerifyOptions): Promise<void> {
  const { packaged, encodedPath } = options
  const [first, last] = [packaged.segmentPaths[0], packaged.segmentPaths.at(-1)]
  if (first === undefined || last === undefined) throw failed()
  const encoded = await packetHashes(encodedPath, options)
  const ends = await decryptedHashes(options, first === last ? [first] : [first, last])
  const headLength = first === last ? ends.length : await countSamples(first)
  const [head, tail] = [ends.slice(0, headLength), ends.slice(first === last ? 0 : headLength)]
  const matchesHead = same(head, encoded.slice(0, head.length))
  if (!matchesHead || !same(tail, encoded.slice(-tail.length))) throw failed()
  // The first audio segment also has the samples that a decoder discards; the manifest does not count them.
  if (packaged.rendition.kind === 'video') await verifyTimes(packaged)
}

async function countSamples(segmentPath: string): Promise<number> {
  const { fragments } = await readFragments(segmentPath)
  return fragments.reduce((sum, { samples }) => sum + samples.length, 0)
}

async function verifyTimes({ rendition, segmentPaths, startTicks }: PackagedRendition) {
  let ticks = startTicks
  for (const [index, path] of segmentPaths.entries()) {
    const { fragments } = await readFragments(path)
    if (fragments[0]?.startTicks !== ticks) throw failed()
    ticks += rendition.segments[index]?.durationTicks ?? 0
  }
}

const failed = (): MediaError =>
  new MediaError('verification_failed', 'The encrypted video does not decrypt to what was encoded.')

const same = (a: string[], b: string[]): boolean =>
  a.length > 0 && a.length === b.length && a.every((hash, index) => hash === b[index])

function decryptedHashes(options: VerifyOptions, segmentPaths: string[]): Promise<string[]> {
  const { packaged, key, signal, onProgress, stallMs } = options
  const { initPath, rendition } = packaged
  const segments = { kind: rendition.kind, initPath, segmentPaths, key }
  const work = { signal, onProgress, stallMs }
  return withDecrypted(dirname(initPath), segments, work, (path) => packetHashes(path, options))
}

async function packetHashes(
  path: string,
  { signal, onProgress, stallMs }: MediaWork,
): Promise<string[]> {
  const hashes: string[] = []
  const wanted = ['-v', 'error', '-show_packets', '-show_data_hash', 'md5']
  const format = ['-show_entries', 'packet=data_hash', '-of', 'csv=p=0']
  const { exitCode } = await runTool('ffprobe', [...wanted, ...format, ...inputArguments(path)], {
    signal,
    stallMs,
    onProgress: () => onProgress?.(),
    onStdoutLine(line) {
      const [, hash] = /MD5:([0-9a-f]{32})/i.exec(line) ?? []
      if (hash !== undefined) hashes.push(hash)
      return hash !== undefined
    },
  })
  if (exitCode !== 0) throw failed()
  return hashes
}
