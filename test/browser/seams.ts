import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { framesPerSecond, type Rendition } from '../../domain/videos/rendition.ts'

/** The frames that are shown on each side of a seam. */
const OFFSETS = [-3, -2, -1, 0, 1, 2]

/**
 * Shows the frames before and after each seam between two chunks of a rung, one by one, and checks that the browser
 * has every one of them at its time, and neither picture nor audio has a gap there. Fails for a rung of one chunk.
 */
export async function expectWholeSeams(page: Page, rung: Rendition): Promise<void> {
  const rate = framesPerSecond(rung.frameRate ?? '')
  const seams = seamsOf(rung)
  expect(seams).not.toEqual([])
  for (const seconds of seams) {
    const times = OFFSETS.map((offset) => seconds + (offset + 0.5) / rate)
    const { shownTimes, isBuffered } = await showFrames(page, seconds, times)
    expect(shownTimes.map((time) => Math.round((time - seconds) * rate))).toEqual(OFFSETS)
    expect(isBuffered).toBe(true)
  }
}

/** Returns the seconds at which the second and every later chunk begin. */
function seamsOf({ parts = [], segments, timescale }: Rendition): number[] {
  return parts.slice(1).map(({ firstSegment }) => {
    const before = segments.slice(0, firstSegment - 1)
    return before.reduce((sum, { durationTicks }) => sum + durationTicks, 0) / timescale
  })
}

/** Seeks to each of `times`; returns the times that the browser states of the frames that it shows there. */
const showFrames = (page: Page, seamSeconds: number, times: number[]) =>
  page.evaluate(
    async ({ seam, wanted }) => {
      const video = document.querySelector('video')
      if (!video) throw new Error('the page has no video')
      video.pause()
      const shownTimes: number[] = []
      for (const time of wanted) {
        const frame = new Promise<number>((resolve) => {
          video.requestVideoFrameCallback((_now, { mediaTime }) => resolve(mediaTime))
        })
        video.currentTime = time
        shownTimes.push(await frame)
      }
      const { buffered } = video
      const ranges = Array.from({ length: buffered.length }, (_, index) => index)
      const isBuffered = ranges.some(
        (index) => buffered.start(index) < seam - 0.5 && buffered.end(index) > seam + 0.5,
      )
      return { shownTimes, isBuffered }
    },
    { seam: seamSeconds, wanted: times },
  )
