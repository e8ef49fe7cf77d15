import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { playOn, wholeSeconds, type Stretch } from './watched-stretches.ts'

/** What a viewer does: plays for some seconds, in pieces as the events of a video come; seeks; or pauses. */
type Act = { play: number } | { seekBy: number } | { pause: number }

const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ play: fc.integer({ min: 1, max: 30 }) }),
  fc.record({ seekBy: fc.integer({ min: -30, max: 30 }).filter((by) => Math.abs(by) > 1) }),
  fc.record({ pause: fc.integer({ min: 1, max: 20 }) }),
)

const PIECES = 4

/** Plays the acts in pieces of a quarter of a second. */
function report(acts: readonly Act[]): readonly Stretch[] {
  let [place, clock] = [1000, 0]
  let stretches: readonly Stretch[] = []
  for (const one of acts) {
    if ('seekBy' in one) place += one.seekBy
    else if ('pause' in one) clock += one.pause
    else
      for (let piece = 0; piece < one.play * PIECES; piece++) {
        const [from, at] = [place, clock]
        place += 1 / PIECES
        clock += 1 / PIECES
        stretches = playOn(stretches, { from, to: place, at, until: clock })
      }
  }
  return stretches
}

/** The naive model: a stretch begins at the first play, and at each that follows a seek or more than five seconds of pause. */
function modelOf(acts: readonly Act[]): [number, number, number][] {
  let [place, clock, paused, moved] = [1000, 0, 0, 0]
  const stretches: [number, number, number][] = []
  for (const one of acts) {
    if ('seekBy' in one) {
      place += one.seekBy
      moved += one.seekBy
    } else if ('pause' in one) {
      clock += one.pause
      paused += one.pause
    } else {
      const last = stretches.at(-1)
      // Seeks that lead back are no seek.
      if (last && Math.abs(moved) <= 1 && paused <= 5) last[1] = Math.max(last[1], place + one.play)
      else stretches.push([place, place + one.play, clock])
      place += one.play
      clock += one.play
      ;[paused, moved] = [0, 0]
    }
  }
  return stretches
}

describe('the watched stretches of a session', () => {
  it('end with a seek and a longer pause, and only then, however the time was reported', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 40 }), (acts) => {
        expect(wholeSeconds(report(acts))).toEqual(modelOf(acts))
      }),
    )
  })

  it('are whole seconds, without those shorter than one', () => {
    const stretches = [
      { from: 0.2, to: 1.1, at: 3, until: 3.9 },
      { from: 10.4, to: 11.4, at: 5.6, until: 6.6 },
    ].reduce(playOn, [])
    expect(wholeSeconds(stretches)).toEqual([[10, 11, 6]])
  })

  it('are at most 64: the shortest makes room for the next', () => {
    const seconds = (index: number): number => (index === 30 ? 2 : 5 + index)
    const played = Array.from({ length: 65 }, (_, index): Stretch => {
      const from = index * 200
      return { from, to: from + seconds(index), at: from, until: from + seconds(index) }
    })
    const kept = wholeSeconds(played.reduce(playOn, [] as readonly Stretch[]))
    expect(kept).toHaveLength(64)
    expect(kept.map(([from]) => from)).toEqual(
      played.map(({ from }) => from).filter((from) => from !== 30 * 200),
    )
  })

  it('go on if a clock is set back', () => {
    const stretches = [
      { from: 0, to: 5, at: 100, until: 105 },
      { from: 5, to: 9, at: 50, until: 54 },
    ].reduce(playOn, [])
    expect(wholeSeconds(stretches)).toEqual([[0, 9, 100]])
  })
})
