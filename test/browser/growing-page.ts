import type { Page } from 'playwright-core'
import type { Preparation } from '../../player/player-data.ts'
import { stateOf } from './video-state.ts'

/** Waits until the page says that the viewer waits for the start, or for a part. */
export const untilPreparing = (page: Page, what: 'start' | 'part'): Promise<unknown> =>
  page.waitForSelector(`html[data-preparing="${what}"]`, { state: 'attached', timeout: 60_000 })

/** Waits until the video plays and its position has passed `seconds`. Throws with the state of the video when it does not. */
export async function untilTime(page: Page, seconds: number): Promise<void> {
  const isThere = (wanted: number): boolean => {
    const video = document.querySelector('video')
    return video !== null && !video.paused && video.currentTime >= wanted
  }
  try {
    await page.waitForFunction(isThere, seconds, { timeout: 60_000 })
  } catch (error) {
    throw new Error(`second ${seconds} does not come: ${await stateOf(page)}`, { cause: error })
  }
}

/** Changes the text of the responses at addresses that match. */
export const changeResponses = (
  page: Page,
  address: string | RegExp,
  change: (text: string) => string,
): Promise<unknown> =>
  page.route(address, async (route) => {
    try {
      const response = await route.fetch()
      await route.fulfill({ response, body: change(await response.text()) })
    } catch {
      // The page may close meanwhile. Otherwise it has lost the response.
      await route.abort().catch(() => undefined)
    }
  })

/** Changes what the server says of a video that is prepared. */
export const changePreparation = (
  page: Page,
  change: (preparation: Preparation | null) => Preparation | null,
): Promise<unknown> =>
  changeResponses(page, /\/sessions\/(heartbeat|preparation)/, (text) => {
    const body: { preparation: Preparation | null } = JSON.parse(text)
    return JSON.stringify({ ...body, preparation: change(body.preparation) })
  })

/** Lets the server estimate so many seconds for what does not play. */
export const estimate = (page: Page, seconds: number): Promise<unknown> =>
  changePreparation(page, (preparation) =>
    preparation?.ready.length === 0 ? { ...preparation, seconds_left: seconds } : preparation,
  )

/** Ways of a playhead: where it jumped, and how long it stood in all. */
interface Steps {
  skips: { from: number; to: number }[]
  stalledMs: number
}

/** Records the position of the video. Resolves to a function that returns the recorded ones. */
export async function recordSteps(page: Page): Promise<() => Promise<Steps>> {
  await page.waitForSelector('video', { state: 'attached' })
  await page.evaluate(() => {
    const video = document.querySelector('video')
    const steps: Steps = { skips: [], stalledMs: 0 }
    let last: { at: number; time: number } | null = null
    const look = (): void => {
      if (!video) return
      const now = { at: performance.now(), time: video.currentTime }
      const before = last
      last = video.readyState < 2 || video.paused ? null : now
      if (!before || !last) return
      const passed = (now.at - before.at) / 1000
      const moved = now.time - before.time
      if (moved > passed * (video.playbackRate || 1) + 0.4 || moved < -0.1)
        steps.skips.push({ from: before.time, to: now.time })
      if (moved === 0 && now.time > 0 && !video.ended) steps.stalledMs += now.at - before.at
    }
    Object.assign(window, { steps })
    setInterval(look, 100)
  })
  return () => page.evaluate<Steps>('steps')
}

/** Waits until the video has played to its end. */
export const untilEnded = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => document.querySelector('video')?.ended, null, { timeout: 60_000 })
