import { STRETCHES_MAX } from './session-measures.ts'
import type { Stretch as StoredStretch } from './stretches.ts'
import { withoutShortest } from './without-shortest.ts'

/** What was played of a video in one go, in seconds. */
export interface Stretch extends StoredStretch {
  /** When it last played, by wall clock, from the opening of the page. */
  until: number
}

const SHORTEST_SECONDS = 1
/** A longer interruption ends a stretch. */
const INTERRUPTION_SECONDS = 5
/** What goes on nearer to where it was is no seek. */
const SAME_PLACE_SECONDS = 1

/**
 * Adds what has been played since the last call: to the stretch before, if it goes on there and soon, otherwise as a new
 * one. Of more than 64, the shortest of the earlier ones is forgotten.
 */
export function playOn(stretches: readonly Stretch[], played: Stretch): readonly Stretch[] {
  const last = stretches.at(-1)
  if (last && goesOn(last, played)) {
    const longer = { ...last, to: Math.max(last.to, played.to), until: played.until }
    return [...stretches.slice(0, -1), longer]
  }
  const isFull = stretches.length >= STRETCHES_MAX
  return [...(isFull ? withoutShortest(stretches, lengthOf) : stretches), played]
}

const goesOn = ({ to, until }: Stretch, { from, at }: Stretch): boolean =>
  Math.abs(from - to) <= SAME_PLACE_SECONDS && at - until <= INTERRUPTION_SECONDS

const lengthOf = ({ from, to }: Stretch): number => to - from

/** Returns the stretches of a second or more, in the order in which they began, in whole seconds. */
export const wholeSeconds = (
  stretches: readonly Stretch[],
): [from: number, to: number, at: number][] =>
  stretches
    .filter((stretch) => lengthOf(stretch) >= SHORTEST_SECONDS)
    .map(({ from, to, at }) => [Math.round(from), Math.round(to), Math.round(at)])
