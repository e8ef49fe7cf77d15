import type { EncodeKind, PastEncode } from './encode-history.ts'

/**
 * The weights by which Linux shares a core between processes of niceness 0, 5 and 15 (`sched_prio_to_weight`): encoders of
 * later rungs yield to those of what makes a video playable (ADR 0031). That the first chunk has a niceness of 0 is left out.
 */
const WEIGHTS: Record<EncodeKind, number> = { audio: 1024, first: 335, later: 36 }

/** Returns the share of its core that each of the encodes on it has, in their order. */
export function sharesOf(kinds: readonly EncodeKind[]): number[] {
  const total = kinds.reduce((sum, kind) => sum + WEIGHTS[kind], 0)
  return kinds.map((kind) => WEIGHTS[kind] / total)
}

/** Returns the seconds that each encode would have taken alone on its core, in their order. */
export function coreSecondsOf(encodes: readonly PastEncode[]): number[] {
  const times = encodes.flatMap(({ startedMs, endedMs }) => [startedMs, endedMs])
  const moments = [...new Set(times)].toSorted((a, b) => a - b)
  const seconds = encodes.map(() => 0)
  for (const [index, fromMs] of moments.slice(0, -1).entries()) {
    const toMs = moments[index + 1] ?? fromMs
    for (const worker of new Set(encodes.map((one) => one.worker))) {
      const running = encodes.flatMap((one, at) =>
        one.worker === worker && one.startedMs <= fromMs && one.endedMs >= toMs ? [at] : [],
      )
      const shares = sharesOf(running.map((at) => encodes[at]?.kind ?? 'later'))
      for (const [place, at] of running.entries())
        seconds[at] = (seconds[at] ?? 0) + ((shares[place] ?? 0) * (toMs - fromMs)) / 1000
    }
  }
  return seconds
}
