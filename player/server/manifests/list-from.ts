import { segmentsFrom, type GrowingTracks } from '../../../domain/playback/growing-video.ts'
import type { Rendition } from '../../../domain/videos/rendition.ts'
import type { Growth, ListStart } from './presentation.ts'

/**
 * Returns what a manifest lists of a video that grows: its first rung and its audio, from the segments at `fromMs` to the
 * next gap, because players cannot skip one. Null while that place is not published. A list with the same start only
 * grows at its end.
 */
export function listFrom(
  { outline, picture, audio }: GrowingTracks,
  fromMs: number,
): { renditions: Rendition[]; growth: Growth } | null {
  const starts = new Map<string, ListStart>()
  const renditions: Rendition[] = []
  for (const track of [picture, ...audio]) {
    const run = segmentsFrom(track, fromMs)
    if (!run) return null
    const { name } = track.rendition
    starts.set(name, { token: track.token, ...run })
    renditions.push({ ...track.rendition, segments: run.segments })
  }
  const isComplete = [picture, ...audio].every((track) => track.isComplete)
  const plannedMs = isComplete ? null : Math.max(outline.durationMs, listedMs(renditions, starts))
  return { renditions, growth: { plannedMs, starts } }
}

/** The end of what is listed: a stated length may be too short. */
const listedMs = (
  renditions: readonly Rendition[],
  starts: ReadonlyMap<string, ListStart>,
): number =>
  Math.max(
    ...renditions.map(({ name, timescale, segments }) => {
      const startTicks = starts.get(name)?.startTicks ?? 0
      const ticks = segments.reduce((sum, { durationTicks }) => sum + durationTicks, startTicks)
      return Math.ceil((ticks * 1000) / timescale)
    }),
  )
