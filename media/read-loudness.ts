import type { Loudness } from '../domain/loudness.ts'

const SUMMARY = /^\[Parsed_ebur128_\d+ @ [^\]]*\] \[info\] Summary:/
/** Such as `    I:         -32.2 LUFS`, in the lines after the summary's first. */
const MEASURED = /^ +(I|Peak): +(-?[\d.]+) (?:LUFS|dBFS)$/
/** What the filter states if no part of the sound is louder than its absolute gate. */
const GATE_LUFS = -70

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
    const { I: integrated = GATE_LUFS, Peak: truePeakDbtp = null } = loudest
    return { integratedLufs: integrated > GATE_LUFS ? integrated : null, truePeakDbtp }
  }
  return { onLine, loudness }
}
