import type { Page } from 'playwright-core'

/** Returns the state of the video and of its page, as JSON. */
export const stateOf = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const video = document.querySelector('video')
    if (!video) return 'no video'
    const { currentTime, paused, seeking, readyState, networkState, buffered } = video
    const ranges = Array.from({ length: buffered.length }, (_, index) => [
      buffered.start(index),
      buffered.end(index),
    ])
    const { state, preparing, error } = document.documentElement.dataset
    return JSON.stringify({
      currentTime,
      paused,
      seeking,
      readyState,
      networkState,
      ranges,
      state,
      preparing,
      error,
    })
  })
