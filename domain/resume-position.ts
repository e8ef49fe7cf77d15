const START_MS = 10_000
const END_MS = 15_000
const END_SHARE = 0.05

/**
 * Returns where a video resumes for a viewer who left it at `positionMs`, in whole seconds. Returns null,
 * for a restart from the beginning, in the first 10 s and in the last 15 s or 5 %, whichever is longer.
 * A duration of null is not known yet.
 */
export function resumeSeconds(positionMs: number | null, durationMs: number | null): number | null {
  if (positionMs === null || positionMs < START_MS) return null
  if (durationMs !== null) {
    const endMs = Math.max(END_MS, durationMs * END_SHARE)
    if (positionMs > durationMs - endMs) return null
  }
  return Math.floor(positionMs / 1000)
}
