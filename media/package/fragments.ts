import { open, type FileHandle } from 'node:fs/promises'
import { boxesOf, inside, Malformed, only, type Box } from './boxes.ts'
import { boxesOfFile, bytesAt } from './file-boxes.ts'

/** A `moof` of a fragmented MP4 file with one track. */
interface Fragment {
  /** The decoding time of its first sample, in ticks (`tfdt`). */
  startTicks: number
  /** In decoding order. */
  samples: { shownTicks: number; isKeyframe: boolean; sizeBytes: number }[]
}

/** What the heads of a fragmented MP4 file state. */
export interface FragmentedFile {
  /** Ticks per second; null for a file without a `moov`, such as a media segment. */
  timescale: number | null
  fragments: Fragment[]
}

/** Larger heads than any encoder writes: a fragment of an hour has 4 MB. */
const HEAD_MAX_BYTES = 64 * 1024 * 1024
const READ = new Set(['moov', 'moof'])

/** Reads the heads of a fragmented MP4 file or of a media segment, without its media. Throws `Malformed`. */
export async function readFragments(path: string): Promise<FragmentedFile> {
  const file = await open(path)
  try {
    const read: FragmentedFile = { timescale: null, fragments: [] }
    for await (const box of headsOf(file)) {
      if (box.type === 'moov') read.timescale = timescaleOf(box)
      else read.fragments.push(fragmentOf(box))
    }
    return read
  } finally {
    await file.close()
  }
}

async function* headsOf(file: FileHandle): AsyncGenerator<Box> {
  for await (const { type, at, sizeBytes } of boxesOfFile(file)) {
    if (!READ.has(type)) continue
    if (sizeBytes > HEAD_MAX_BYTES) throw new Malformed('a box is too large')
    yield* boxesOf(await bytesAt(file, at, sizeBytes))
  }
}

/** Ticks per second of the only track. Throws `Malformed`. */
export function timescaleOf(moov: Box): number {
  const mdhd = required(['trak', 'mdia', 'mdhd'].reduce<Box | null>(inside, moov), 'mdhd')
  return mdhd.body.readUInt32BE(mdhd.body[0] === 1 ? 20 : 12)
}

function required(box: Box | null, type: string): Box {
  if (!box) throw new Malformed(`there is no ${type}, or more than one`)
  return box
}

/** Throws `Malformed`. */
export function fragmentOf(moof: Box): Fragment {
  const boxes = boxesOf(required(inside(moof, 'traf'), 'traf').body)
  const tfdt = required(only(boxes, 'tfdt'), 'tfdt').body
  const startTicks = tfdt[0] === 1 ? Number(tfdt.readBigUInt64BE(4)) : tfdt.readUInt32BE(4)
  const defaults = defaultsOf(required(only(boxes, 'tfhd'), 'tfhd').body)
  const fragment: Fragment = { startTicks, samples: [] }
  let ticks = startTicks
  for (const { body } of boxes.filter(({ type }) => type === 'trun'))
    for (const { durationTicks, sizeBytes, flags, offsetTicks } of samplesOf(body, defaults)) {
      const isKeyframe = (flags & NON_SYNC) === 0
      fragment.samples.push({ shownTicks: ticks + offsetTicks, isKeyframe, sizeBytes })
      ticks += durationTicks
    }
  return fragment
}

/** `sample_is_non_sync_sample` (ISO/IEC 14496-12, section 8.8.3.1). */
const NON_SYNC = 0x1_0000

interface Defaults {
  durationTicks: number
  sizeBytes: number
  flags: number
}

interface Sample extends Defaults {
  /** From its decoding time to its time on the screen; negative for some. */
  offsetTicks: number
}

/** `tfhd` (section 8.8.7). */
function defaultsOf(body: Buffer): Defaults {
  const next = optionalFields(body, 8)
  next(0x1, 8)
  next(0x2)
  const durationTicks = next(0x8) ?? 0
  const sizeBytes = next(0x10) ?? 0
  return { durationTicks, sizeBytes, flags: next(0x20) ?? 0 }
}

/** `trun` (section 8.8.8). */
function* samplesOf(body: Buffer, defaults: Defaults): Generator<Sample> {
  const next = optionalFields(body, 8)
  next(0x1)
  const firstFlags = next(0x4)
  for (let index = 0; index < body.readUInt32BE(4); index += 1) {
    const durationTicks = next(0x100) ?? defaults.durationTicks
    const sizeBytes = next(0x200) ?? defaults.sizeBytes
    const flags = next(0x400) ?? (index === 0 ? firstFlags : null) ?? defaults.flags
    yield { durationTicks, sizeBytes, flags, offsetTicks: (next(0x800) ?? 0) | 0 }
  }
}

/** Returns a function that reads the next field, by the bit of the box's flags that says whether it is there. */
function optionalFields(body: Buffer, start: number) {
  const present = body.readUIntBE(1, 3)
  let at = start
  return (bit: number, bytes = 4): number | null => {
    if ((present & bit) === 0) return null
    at += bytes
    return body.readUInt32BE(at - 4)
  }
}
