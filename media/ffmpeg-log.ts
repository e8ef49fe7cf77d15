/** What ffmpeg states of one stream of its input. */
export interface StreamStats {
  packetsRead: number
  framesDecoded: number
  /** Of audio. */
  samplesDecoded: number
  /** Packets that the decoder refused. */
  undecodable: number
  /** Frames that the decoder could decode only in part. */
  partial: number
  /** True if the demuxer found that bytes are missing in it. */
  isInterrupted: boolean
}

/** What ffmpeg states of its input. */
export interface InputStats {
  /** By the stream's index in the file. */
  streams: ReadonlyMap<number, StreamStats>
  /** Frames that passed the filter of that name (`countFilter`); null if there is none. */
  framesCounted: number | null
  /** Frames of any stream whose damaged parts were made up. */
  concealed: number
  /** True if a decoder found damage that it states neither of a packet nor of a frame. */
  hasFaults: boolean
  /** True if the demuxer skipped bytes that belong to no packet. */
  hasSkipped: boolean
  /** True if the file ends within a packet. */
  isCut: boolean
  /** True if anything was wrong from the first packet on, also with an output. */
  hasWarned: boolean
}

/** The name of the filter whose frames are counted. */
const COUNTER = 'counted'

/** Returns a filter that counts the frames that pass it, which `readLog` reads. Only `fps` states its frames. */
export const countFilter = (frameRate: string): string => `fps@${COUNTER}=${frameRate}`

// All lines are ffmpeg's own: text of the file is never at the start of a line.
/** Before, ffmpeg decodes a few frames to learn what the streams are. */
const MAPPED = /^\[info\] Stream mapping:/
const BEGUN = /^\[info\] Output #0,/
const FINISHED = /^\[verbose\] No more output streams to write to/
/** At the end, of the first input. */
const ACCOUNT =
  /^\[verbose\] +Input stream #0:(\d+) \(\w+\): (\d+) packets read \(\d+ bytes\); (\d+) frames decoded(?: \((\d+) samples\))?/
const COUNTED = new RegExp(`^\\[fps@${COUNTER} @ \\w+\\] \\[verbose\\] (\\d+) frames in,`)
const UNDECODABLE = /^\[error\] Error while decoding stream #0:(\d+):/
const PARTIAL = /^\[warning\] .*: corrupt decoded frame in stream (\d+)$/
/** Of every frame, but without its stream; a frame that another thread decodes may miss its mark above. */
const CONCEALED = /^\[\w+ @ \w+\] \[info\] concealing \d+ DC/
/** Of FFV1: one line for each part of a frame with a wrong checksum, with the time of the frame. */
const WRONG_CHECKSUM = /^\[ffv1 @ \w+\] \[error\] slice CRC mismatch \w+!?at (.*)/
/** Of decoders that go on without a mark at the frame: damaged bits, or a frame that is missing before this one. */
const FAULTS =
  /^\[\w+ @ \w+\] \[(?:error|warning)\] (?:error dc|error count: |error y=|Coefficient index overflow|dc overflow|ignoring overflow|Concealing bitstream errors|End mismatch|LZW decode failed|reference picture missing|Missing reference picture|Could not find ref with POC)/
/** Of a transport stream: packets are missing. Of others: the file ends within this packet. */
const INTERRUPTED = /^\[warning\] .*: corrupt input packet in stream (\d+)$/
const CUT =
  /^\[(?:mov|matroska)[^\]]* @ \w+\] \[error\] (?:.*: partial file|File ended prematurely)/
const SKIPPED = /^\[(?:matroska,webm|asf|ogg|mxf|mpegts|mpeg) @ \w+\] \[error\] (?!File ended)/
/**
 * Such as `[mp4 @ 0x55d8ea7b5500] [error] `; the first part is the component, which messages of ffmpeg itself lack. The at sign is
 * looked for ahead, so that a component with many has one way to be read.
 */
const FAULT = /^((?:\[(?=[^\]]* @ )[^\]]*\] )*)\[(?:error|fatal|panic)\] (.*)$/

const WARNING = /^(?:\[(?=[^\]]* @ )[^\]]*\] )*\[(?:warning|error|fatal|panic)\] /

const EMPTY: StreamStats = {
  packetsRead: 0,
  framesDecoded: 0,
  samplesDecoded: 0,
  undecodable: 0,
  partial: 0,
  isInterrupted: false,
}

/** Returns what ffmpeg states of a stream. */
export const streamStats = ({ streams }: Pick<InputStats, 'streams'>, index: number) =>
  streams.get(index) ?? EMPTY

/**
 * Reads ffmpeg's log at the level `level+verbose`, which states what was read and decoded. With `isSeeking`, damage
 * counts from the first output on: what is decoded before belongs to another part of the file. `onLine` returns the
 * lines that the level `error` shows, without their level, and null for all others.
 */
export function readLog({ isSeeking = false }: { isSeeking?: boolean | undefined } = {}) {
  const streams = new Map<number, StreamStats>()
  const stats = {
    streams,
    framesCounted: null as number | null,
    concealed: 0,
    hasFaults: false,
    hasSkipped: false,
    isCut: false,
    hasWarned: false,
  }
  const start = isSeeking ? BEGUN : MAPPED
  const checked = new Set<string>()
  let isCounting = false
  let isMapped = false
  const change = (index: string | undefined, edit: (one: StreamStats) => Partial<StreamStats>) => {
    if (index === undefined) return
    const one = streamStats(stats, Number(index))
    streams.set(Number(index), { ...one, ...edit(one) })
  }
  const isNew = (frame: string | undefined): boolean => {
    if (frame === undefined || checked.has(frame)) return false
    checked.add(frame)
    return true
  }
  const readDamage = (line: string): void => {
    change(UNDECODABLE.exec(line)?.[1], ({ undecodable }) => ({ undecodable: undecodable + 1 }))
    change(PARTIAL.exec(line)?.[1], ({ partial }) => ({ partial: partial + 1 }))
    change(INTERRUPTED.exec(line)?.[1], () => ({ isInterrupted: true }))
    if (CONCEALED.test(line) || isNew(WRONG_CHECKSUM.exec(line)?.[1])) stats.concealed += 1
    stats.hasFaults ||= FAULTS.test(line)
    stats.hasSkipped ||= SKIPPED.test(line)
  }
  const readEnd = (line: string): void => {
    const [, index, packetsRead, framesDecoded, samplesDecoded = 0] = ACCOUNT.exec(line) ?? []
    change(index, () => ({
      packetsRead: Number(packetsRead),
      framesDecoded: Number(framesDecoded),
      samplesDecoded: Number(samplesDecoded),
    }))
    const [, counted] = COUNTED.exec(line) ?? []
    // The filters are built again when the size of the frames changes.
    if (counted !== undefined) stats.framesCounted = (stats.framesCounted ?? 0) + Number(counted)
    stats.isCut ||= CUT.test(line)
  }
  const onLine = (line: string): string | null => {
    if (start.test(line)) isCounting = true
    if (FINISHED.test(line)) isCounting = false
    isMapped ||= MAPPED.test(line)
    stats.hasWarned ||= isMapped && WARNING.test(line)
    if (isCounting) readDamage(line)
    readEnd(line)
    const [, component, message] = FAULT.exec(line) ?? []
    return message === undefined ? null : `${component}${message}`
  }
  return { stats, onLine }
}
