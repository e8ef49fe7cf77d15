import { open } from 'node:fs/promises'
import { PACKET_SAMPLES, type AudioPiece } from '../../domain/encoding/audio-pieces.ts'
import { BOX_HEAD_BYTES, boxesOf, inside, Malformed, type Box } from '../package/boxes.ts'
import { delayFragment } from '../package/delay-segment.ts'
import { fragmentOf, timescaleOf } from '../package/fragments.ts'

/** A part of audio as a file of its own. */
export interface AudioFile {
  bytes: Buffer
  /**
   * How much later its packets are decoded behind the init segment of the first part, whose edit list hides what a decoder
   * discards at the start. The packager makes no such list for a part that begins later.
   */
  delayTicks: number
}

/** Cuts the audio that an encoder writes into files of their own. */
export interface AudioCutter {
  /** The next part, if all of it is written; null otherwise. */
  next(): Promise<AudioFile | null>
  /** What is left when the encoder has ended and `next` gives no part. */
  rest(): AudioFile
}

const READ_BYTES = 1 << 20

/**
 * Reads the fragmented MP4 file at `path` while it is written. `endSecondsOf` says where each part ends: the next one
 * begins with the first fragment that is shown at that time or later, as the packager cuts segments. A part has the
 * head of the file and its own fragments, so that packaging it gives the segments that the whole file has there.
 */
export function cutAudio(path: string, endSecondsOf: (part: number) => number): AudioCutter {
  const head: Buffer[] = []
  let timing = { timescale: 1, delayTicks: 0 }
  let fragments: Buffer[] = []
  let part = 0
  let unread = Buffer.alloc(0)
  let offset = 0
  // All reads share one buffer: a new one for each read keeps the garbage collector busy.
  const read = Buffer.allocUnsafeSlow(READ_BYTES)

  /** False if the file has no more bytes yet. */
  async function fill(): Promise<boolean> {
    const length = await readFrom(path, offset, read)
    offset += length
    unread = Buffer.concat([unread, read.subarray(0, length)])
    return length > 0
  }
  function take(): Box | null {
    const bytes = firstBox(unread)
    if (!bytes) return null
    unread = unread.subarray(bytes.length)
    return boxesOf(bytes)[0] ?? null
  }
  const fragmentSeconds = (moof: Box): number =>
    (fragmentOf(moof).startTicks - timing.delayTicks) / timing.timescale
  const joined = (): AudioFile => ({
    bytes: Buffer.concat([...head, ...fragments]),
    delayTicks: part === 0 ? 0 : timing.delayTicks,
  })

  return {
    async next() {
      for (;;) {
        const box = take()
        if (!box) {
          if (await fill()) continue
          return null
        }
        if (box.type === 'ftyp' || box.type === 'moov') head.push(box.whole)
        if (box.type === 'moov') timing = timingOf(box)
        if (box.type === 'mdat') fragments.push(box.whole)
        if (box.type !== 'moof') continue
        const isEnd = fragments.length > 0 && fragmentSeconds(box) >= endSecondsOf(part)
        const complete = isEnd ? joined() : null
        if (isEnd) fragments = []
        fragments.push(box.whole)
        if (!complete) continue
        part += 1
        return complete
      }
    },
    rest: joined,
  }
}

/** Reads into `buffer`. Resolves to the number of bytes, 0 if the file does not exist yet. */
async function readFrom(path: string, offset: number, buffer: Buffer): Promise<number> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (!file) return 0
  try {
    return (await file.read(buffer, 0, buffer.length, offset)).bytesRead
  } finally {
    await file.close()
  }
}

/** The bytes of the first box; null if they are not all there. Fragments of audio are far below 4 GB. */
function firstBox(bytes: Buffer): Buffer | null {
  if (bytes.length < BOX_HEAD_BYTES) return null
  const size = bytes.readUInt32BE(0)
  if (size < BOX_HEAD_BYTES) throw new Malformed('a box has a wrong size')
  return size <= bytes.length ? bytes.subarray(0, size) : null
}

/** The edit list hides what a decoder discards at the start, so the audio is shown that much earlier. */
function timingOf(moov: Box): { timescale: number; delayTicks: number } {
  const body = ['trak', 'edts', 'elst'].reduce<Box | null>(inside, moov)?.body
  const delayTicks = body?.[0] === 1 ? Number(body.readBigInt64BE(16)) : body?.readInt32BE(12)
  return { timescale: timescaleOf(moov), delayTicks: delayTicks ?? 0 }
}

/**
 * Returns the packets of a piece, from a file whose times begin at `fromSample` of the track, at the times of the track; null
 * if they are not all there. The first piece also has what a decoder discards at the start.
 */
export function cutPiece(
  file: Buffer,
  piece: AudioPiece,
  fromSample: number,
): { file: AudioFile; packets: number } | null {
  const boxes = boxesOf(file)
  const moov = boxes.find(({ type }) => type === 'moov')
  if (!moov) return null
  const { delayTicks } = timingOf(moov)
  const isFirst = piece.startSample === 0
  const start = isFirst ? -delayTicks : piece.startSample
  const kept = fragmentsOf(boxes).flatMap(({ moof, mdat }) => {
    const { startTicks } = fragmentOf(moof)
    const shown = startTicks + fromSample - delayTicks
    return shown >= start && (piece.endSample === null || shown < piece.endSample)
      ? [{ moof, mdat, shown }]
      : []
  })
  const isGapless = kept.every(({ shown }, index) => shown === start + index * PACKET_SAMPLES)
  const isComplete =
    piece.endSample === null || start + kept.length * PACKET_SAMPLES === piece.endSample
  if (!isGapless || !isComplete || kept.length === 0) return null
  for (const { moof } of kept) delayFragment(moof, fromSample)
  const head = boxes.filter(({ type }) => type === 'ftyp' || type === 'moov')
  const all = [...head, ...kept.flatMap(({ moof, mdat }) => [moof, mdat])]
  const bytes = Buffer.concat(all.map(({ whole }) => whole))
  return { file: { bytes, delayTicks: isFirst ? 0 : delayTicks }, packets: kept.length }
}

/** Each packet is a fragment. */
function fragmentsOf(boxes: readonly Box[]): { moof: Box; mdat: Box }[] {
  return boxes.flatMap((moof, index) => {
    const mdat = boxes[index + 1]
    return moof.type === 'moof' && mdat?.type === 'mdat' ? [{ moof, mdat }] : []
  })
}
