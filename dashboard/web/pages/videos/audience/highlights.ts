/** A highlight of a retention curve, by the index of its part. */
export type Highlight =
  /** Where half a minute has passed, and the share of plays that have shown it. */
  | { kind: 'start'; part: number; share: number }
  /** Where most plays go elsewhere, with the shares before and after. */
  | { kind: 'drop'; part: number; before: number; after: number }
  /** What most plays have shown again. */
  | { kind: 'again'; part: number; share: number }

interface Curve {
  plays: number
  parts: readonly number[]
  replays: readonly number[]
}

/** With fewer plays, one viewer would stand out. */
const PLAYS_MIN = 20
const START_SECONDS = 30
/** In a shorter video, half a minute is no start. */
const DURATION_MIN_SECONDS = 60
/** A drop is within so many parts. */
const DROP_PARTS = 3
/** Everyone leaves at the end. */
const END_PART = 95
/** Smaller drops and shares are no highlights. */
const SHARE_MIN = 0.05
/** How many times the median of replays a part needs to be a highlight. */
const TIMES_MORE = 1.5

/** Returns the highlights of a video's curve, in the order of the video. */
export function highlightsOf(curve: Curve, durationSeconds: number): Highlight[] {
  if (curve.plays < PLAYS_MIN) return []
  const startPart = Math.floor((START_SECONDS / durationSeconds) * 100)
  const isStart = durationSeconds >= DURATION_MIN_SECONDS && startPart > 0
  const share = curve.parts[startPart] ?? 0
  const found: (Highlight | null)[] = [
    isStart ? { kind: 'start', part: startPart, share } : null,
    dropOf(curve.parts, isStart ? startPart : DROP_PARTS),
    againOf(curve.replays),
  ]
  return found.filter((one) => one !== null).toSorted((one, other) => one.part - other.part)
}

function dropOf(parts: readonly number[], firstPart: number): Highlight | null {
  let most: Highlight & { kind: 'drop' } = { kind: 'drop', part: 0, before: 0, after: 0 }
  for (let part = firstPart; part + DROP_PARTS < END_PART; part += 1) {
    const [before = 0, after = 0] = [parts[part], parts[part + DROP_PARTS]]
    // Of several that begin before it, the one that begins with it.
    if (before - after >= most.before - most.after) most = { kind: 'drop', part, before, after }
  }
  return most.before - most.after < SHARE_MIN ? null : most
}

function againOf(replays: readonly number[]): Highlight | null {
  const share = Math.max(...replays)
  const middle = replays.toSorted((one, other) => one - other)[Math.floor(replays.length / 2)] ?? 0
  if (share < SHARE_MIN || share < middle * TIMES_MORE) return null
  return { kind: 'again', part: replays.indexOf(share), share }
}
