import type { Page } from 'playwright-core'

/** What a page tells of its way to the first frame; milliseconds since the navigation began. */
export interface FirstFrame {
  firstFrameMs: number
  requests: { url: string; startMs: number; endMs: number; transferredBytes: number }[]
  /** Time in tasks of the main thread that took longer than 50 ms, before the frame. */
  longTasksMs: number
  firstPaintMs: number
}

// Runs in the page before any script of its own; plays as a viewer's browser does that may autoplay.
const WATCH = `(() => {
  const tasks = []
  new PerformanceObserver((list) => tasks.push(...list.getEntries()))
    .observe({ type: 'longtask', buffered: true })
  const tell = (now) => {
    const [page] = performance.getEntriesByType('navigation')
    const [paint] = performance.getEntriesByType('paint')
    window.firstFrame = {
      firstFrameMs: now,
      requests: [page, ...performance.getEntriesByType('resource')].map((entry) => ({
        url: entry.name, startMs: entry.startTime, endMs: entry.responseEnd,
        transferredBytes: entry.transferSize,
      })),
      longTasksMs: tasks.filter((task) => task.startTime < now)
        .reduce((sum, task) => sum + task.duration, 0),
      firstPaintMs: paint ? paint.startTime : 0,
    }
  }
  const seen = new WeakSet()
  const look = () => {
    for (const video of document.querySelectorAll('video')) {
      if (seen.has(video)) continue
      seen.add(video)
      video.muted = true
      video.autoplay = true
      video.requestVideoFrameCallback(tell)
    }
  }
  new MutationObserver(look).observe(document, { childList: true, subtree: true })
})()`

/** Makes every page that `page` opens tell of its first frame, and play by itself, muted. */
export const watchFirstFrame = (page: Page): Promise<void> =>
  page.addInitScript({ content: WATCH }).then(() => undefined)

/** Resolves when the film has played for a second: its picture and its sound. */
export async function hasPlayed(page: Page): Promise<void> {
  const at = () => {
    const { document } = globalThis as unknown as { document: PlayingDocument }
    return (document.querySelector('video')?.currentTime ?? 0) > 1
  }
  await page.waitForFunction(at, undefined, { polling: 100 })
}

interface PlayingDocument {
  querySelector(name: string): { currentTime: number } | null
}

/** Resolves when the first frame has been shown. */
export async function firstFrameOf(page: Page): Promise<FirstFrame> {
  // A function and no text: the page's policy forbids eval.
  const told = () => (globalThis as { firstFrame?: FirstFrame }).firstFrame
  const handle = await page.waitForFunction(told, undefined, { polling: 100 })
  const frame = await handle.jsonValue()
  if (!frame) throw new Error('the page told of no frame')
  return frame
}
