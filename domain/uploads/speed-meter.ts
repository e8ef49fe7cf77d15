/** Long enough that chunks do not show, short enough to follow a network that has changed. */
const WINDOW_MS = 10_000
const FIRST_SHOWN_MS = 1_000

/** Measures how fast an upload is, in bytes a second over the last seconds; null while it is unknown. */
export function speedMeter(): (bytes: number, nowMs: number) => number | null {
  let samples: { bytes: number; atMs: number }[] = []
  return (bytes, nowMs) => {
    const last = samples.at(-1)
    // The server has stored less than was sent: it is another attempt.
    if (last && bytes < last.bytes) samples = []
    samples = [...samples, { bytes, atMs: nowMs }].filter(({ atMs }) => nowMs - atMs <= WINDOW_MS)
    const [first] = samples
    const elapsedMs = nowMs - (first?.atMs ?? nowMs)
    if (!first || elapsedMs < FIRST_SHOWN_MS) return null
    return ((bytes - first.bytes) / elapsedMs) * 1000
  }
}
