const TILES_MAX = 100
const TILE_LONG_SIDE = 160
/** Encoders put a keyframe about every two seconds, and tiles are made from keyframes. */
const KEYFRAME_SECONDS = 2
/** A keyframe this much behind the time of a tile still counts, because frame rates such as 29.97 drift. */
export const TILE_TOLERANCE_SECONDS = 0.5

/** Times of tiles in seconds of the video: `first`, and `count` in all, one every `every` seconds. */
export interface TileTimes {
  first: number
  every: number
  count: number
}

/** Returns the size of a tile in even pixels, for a picture of this displayed size. */
export function tileSize(width: number, height: number): { width: number; height: number } {
  const scale = TILE_LONG_SIDE / Math.max(width, height)
  const even = (pixels: number): number => Math.max(2, Math.round((pixels * scale) / 2) * 2)
  return { width: even(width), height: even(height) }
}

/**
 * Returns the times of the tiles that a part of a video makes, from `fromSeconds` to `toSeconds`. `videoSeconds` is the
 * length of the video as planned; it decides the distance of tiles, at most 100 in all. A tile belongs to one part.
 */
export function tileTimes(fromSeconds: number, toSeconds: number, videoSeconds: number): TileTimes {
  const steps = Math.ceil(Math.max(videoSeconds, toSeconds) / TILES_MAX / KEYFRAME_SECONDS)
  const every = Math.max(1, steps) * KEYFRAME_SECONDS
  const [from, to] = [fromSeconds, toSeconds].map((time) => time - TILE_TOLERANCE_SECONDS)
  const first = Math.ceil(Math.max(0, from ?? 0) / every) * every
  const atLeast = fromSeconds === 0 ? 1 : 0
  return { first, every, count: Math.max(atLeast, Math.ceil(((to ?? 0) - first) / every)) }
}

/**
 * Chooses the tiles of a finished video from the times, in seconds, at which there are some: those before its end,
 * evenly thinned to 100. Parts of a video whose planned length was wrong have made too many.
 */
export function chooseTiles(seconds: readonly number[], durationMs: number): number[] {
  const times = seconds.toSorted((a, b) => a - b)
  const inside = times.filter((time, index) => index === 0 || time * 1000 < durationMs)
  const step = Math.ceil(inside.length / TILES_MAX)
  return inside.filter((_, index) => index % step === 0)
}
