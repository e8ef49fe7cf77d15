import { createHash } from 'node:crypto'
import { PACKET_SAMPLES } from '../../domain/encoding/audio-pieces.ts'
import { boxesOf, inside, only, type Box } from './boxes.ts'

/** Where a box states a duration: the place in its body and the bytes of it, in version 0 and in version 1. */
const DURATIONS: readonly {
  path: string[]
  places: readonly [[number, number], [number, number]]
}[] = [
  {
    path: ['mvhd'],
    places: [
      [16, 4],
      [24, 8],
    ],
  },
  {
    path: ['trak', 'tkhd'],
    places: [
      [20, 4],
      [28, 8],
    ],
  },
  {
    path: ['trak', 'mdia', 'mdhd'],
    places: [
      [16, 4],
      [24, 8],
    ],
  },
  {
    path: ['mvex', 'mehd'],
    places: [
      [4, 4],
      [4, 8],
    ],
  },
]

/**
 * Returns the SHA-256 of an init segment without its durations and its edit list, in hex. Chunks of a rendition with the
 * same hash play behind the init segment of the first: the manifest states the duration, each segment states those of its
 * samples, and only the first part of a track of audio has packets that the edit list hides. Throws `Malformed`.
 */
export function initHash(init: Buffer): string {
  const bytes = Buffer.from(init)
  const moov = only(boxesOf(bytes), 'moov')
  for (const { path, places } of DURATIONS) {
    const body = path.reduce<Box | null>(inside, moov)?.body
    const [at, length] = places[body?.[0] === 1 ? 1 : 0]
    body?.fill(0, at, at + length)
  }
  stateWholePacket(moov)
  return createHash('sha256').update(withoutEdits(bytes, moov)).digest('hex')
}

/** The place of the default duration in `trex` (ISO/IEC 14496-12, section 8.8.3). */
const DEFAULT_DURATION_AT = 12

/**
 * Writes the duration of a whole packet as the default of a track of audio. The packager takes the default from the first
 * packet of a file: in a last part of one packet that is the rest of the track, which is shorter.
 */
function stateWholePacket(moov: Box | null): void {
  const handler = ['trak', 'mdia', 'hdlr'].reduce<Box | null>(inside, moov)?.body
  if (handler?.toString('latin1', 8, 12) !== 'soun') return
  const defaults = ['mvex', 'trex'].reduce<Box | null>(inside, moov)?.body
  defaults?.writeUInt32BE(PACKET_SAMPLES, DEFAULT_DURATION_AT)
}

/** Removes the edit list of the track. */
function withoutEdits(bytes: Buffer, moov: Box | null): Buffer {
  const trak = inside(moov, 'trak')
  const edits = inside(trak, 'edts')?.whole
  if (!edits) return bytes
  for (const parent of [moov, trak]) parent?.whole.writeUInt32BE(parent.whole.length - edits.length)
  const at = edits.byteOffset - bytes.byteOffset
  return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + edits.length)])
}
