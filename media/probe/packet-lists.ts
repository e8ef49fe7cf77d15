import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { MediaWork } from '../run-tool.ts'

interface Lists extends Pick<MediaWork, 'signal' | 'onProgress'> {
  /** Paths of the lists that ffmpeg's `framehash` writes, in version 2. */
  sourceList: string
  copyList: string
}

/** ffmpeg closes a longer jump in time in an encode of the whole video, from about ten seconds on. */
const GAP_MAX_SECONDS = 5

/**
 * Returns whether two lists name the same packets at the same times, and those of the source come in order, all with a
 * time, without a jump, and with the same parameter sets throughout.
 */
export async function hasSamePackets({ sourceList, copyList, ...work }: Lists): Promise<boolean> {
  const copied = packetsOf(copyList)
  const parameters = new Set<string>()
  let before: Packet | undefined
  try {
    for await (const packet of packetsOf(sourceList)) {
      const twin = await copied.next()
      if (twin.done || !isSame(packet, twin.value) || !follows(packet, before)) return false
      const known = parameters.size
      for (const one of packet.parameters) parameters.add(one)
      if (before && parameters.size > known) return false
      if (!before || packet.number % REPORT_EVERY === 0) reportTo(work)
      before = packet
    }
    return before !== undefined && (await copied.next()).done === true
  } finally {
    await copied.return(undefined)
  }
}

const REPORT_EVERY = 10_000

function reportTo({ signal, onProgress }: Pick<MediaWork, 'signal' | 'onProgress'>): void {
  signal.throwIfAborted()
  onProgress?.()
}

interface Packet {
  /** From 0. */
  number: number
  /** In ticks of the list; null if the packet has none. */
  dts: number | null
  pts: number | null
  tick: Tick
  /** Sizes and checksums of the packet's side data; the first packet also has those of the stream's extradata. */
  parameters: string[]
}

/** The seconds of a tick. */
interface Tick {
  numerator: number
  denominator: number
}

function follows({ dts, pts, tick }: Packet, before: Packet | undefined): boolean {
  if (dts === null || pts === null) return false
  if (!before) return true
  const gap = dts - (before.dts ?? 0)
  return gap > 0 && gap * tick.numerator <= GAP_MAX_SECONDS * tick.denominator
}

const isSame = (one: Packet, other: Packet): boolean =>
  isSameTime(one.dts, one.tick, other.dts, other.tick) &&
  isSameTime(one.pts, one.tick, other.pts, other.tick)

/** Exact for more than a day of video. */
function isSameTime(time: number | null, tick: Tick, other: number | null, otherTick: Tick) {
  if (time === null || other === null) return false
  const [left, right] = [time * tick.numerator, other * otherTick.numerator]
  return left * otherTick.denominator === right * tick.denominator
}

const TICK = /^#tb 0: (\d+)\/(\d+)$/
const BEFORE_ALL = /^#extradata 0, *(\d+), (\w+)$/
/** Stream, dts, pts, duration, size and checksum; then the number of its side data, each with size and checksum. */
const PACKET = /^0, *(-?\d+), *(-?\d+), *\d+, *\d+, *\w+(?:, S=\d+(.*))?$/
const PART = /, *(\d+), (\w+)/g

async function* packetsOf(path: string): AsyncGenerator<Packet, undefined> {
  let tick: Tick = { numerator: 0, denominator: 1 }
  let parameters: string[] = []
  let number = 0
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const [, numerator, denominator] = TICK.exec(line) ?? []
    if (numerator !== undefined)
      tick = { numerator: Number(numerator), denominator: Number(denominator) }
    const [, size, sum] = BEFORE_ALL.exec(line) ?? []
    if (size !== undefined) parameters = [`${size} ${sum}`]
    const [, dts, pts, beside = ''] = PACKET.exec(line) ?? []
    if (dts === undefined || pts === undefined) continue
    for (const [, bytes, checksum] of beside.matchAll(PART)) parameters.push(`${bytes} ${checksum}`)
    yield { number, dts: timeOf(dts), pts: timeOf(pts), tick, parameters }
    number += 1
    parameters = []
  }
  return undefined
}

/** The least number of 64 bits stands for no time. */
const timeOf = (text: string): number | null => (text.length > 16 ? null : Number(text))
