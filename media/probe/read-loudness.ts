import { GATE_LUFS, type Loudness } from '../../domain/encoding/loudness.ts'

const SUMMARY = /^\[Parsed_ebur128_\d+ @ [^\]]*\] \[info\] Summary:/
/** Such as `    I:         -32.2 LUFS`, in the lines after the summary's first. */
const MEASURED = /^ +(I|Peak): +(-?[\d.]+) (?:LUFS|dBFS)$/

/**
 * Reads the summary of the filter `ebur128` from ffmpeg's log. A filter that begins again, because the source changes
 * its layout, has more than one: the loudest counts.
 */
export function readLoudness() {
  const loudest: Record<string, number> = {}
  let isSummary = false
  const onLine = (line: string): void => {
    if (line.startsWith('[')) isSummary = SUMMARY.test(line)
    const [, name, value] = (isSummary && MEASURED.exec(line)) || []
    if (name !== undefined) loudest[name] = Math.max(loudest[name] ?? -Infinity, Number(value))
  }
  const loudness = (): Loudness => {
    // The filter states its gate if no part of the audio is louder.
    const { I: integrated = GATE_LUFS, Peak: truePeakDbtp = null } = loudest
    return { integratedLufs: integrated > GATE_LUFS ? integrated : null, truePeakDbtp }
  }
  return { onLine, loudness }
}

/** Each tenth of a second, of the 400 ms before: `[Parsed_ebur128_4 @ 0x55] [info] t: 0.5  TARGET:-23 LUFS    M: -26.1 …` */
const BLOCK = /^\[Parsed_ebur128_\d+ @ [^\]]*\] \[info\] t: *([\d.]+) .* M: *(-?[\d.]+) /

/**
 * Reads how loud the blocks of audio are that end between two times of the filter `ebur128`, from ffmpeg's log. Returns how many
 * blocks have each loudness, by tenths of LUFS.
 */
export function readBlocks({ fromSeconds, toSeconds }: { fromSeconds: number; toSeconds: number }) {
  const blocks: Record<string, number> = {}
  const onLine = (line: string): void => {
    const [, seconds, lufs] = BLOCK.exec(line) ?? []
    const isInside = Number(seconds) > fromSeconds && Number(seconds) <= toSeconds
    if (lufs === undefined || !isInside || Number(lufs) <= GATE_LUFS) return
    const tenths = String(Math.round(Number(lufs) * 10))
    blocks[tenths] = (blocks[tenths] ?? 0) + 1
  }
  return { onLine, blocks }
}
