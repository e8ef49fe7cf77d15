import { PARTS } from '../audience/session-measures.ts'

/** A piece of a video in seconds. */
export interface Segment {
  from: number
  to: number
}

/**
 * Returns segments as the Video Profile writes them, `0[.]12[,]20[.]33.5`, in their order, each within the video. Those without a length
 * are left out. Null if none is left.
 */
export function playedSegments(
  segments: readonly Segment[],
  lengthSeconds: number | null,
): string | null {
  const end = lengthSeconds ?? Infinity
  const within = segments
    .map(({ from, to }) => ({ from: Math.max(0, from), to: Math.min(to, end) }))
    .filter(({ from, to }) => from < to)
  return within.length === 0
    ? null
    : within.map(({ from, to }) => `${inMillis(from)}[.]${inMillis(to)}`).join('[,]')
}

/** Returns the hundredths that were shown as segments: those that touch are one. */
export function segmentsOfParts(parts: string, lengthSeconds: number): Segment[] {
  return Array.from(parts.matchAll(/1+/g), ({ index, 0: run }) => ({
    from: (index * lengthSeconds) / PARTS,
    to: ((index + run.length) * lengthSeconds) / PARTS,
  }))
}

const inMillis = (seconds: number): number => Math.round(seconds * 1000) / 1000
