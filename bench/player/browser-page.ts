import { chromium, type Browser, type Page } from 'playwright-core'
import { headlessChromiumPath } from '../../test/infrastructure/services.ts'

/**
 * Starts a Chromium that allows autoplay. It has no interface: that of a desktop Chromium loads pages of its own for each
 * context, at the same time as the measured page and on the same core.
 */
export const launchBrowser = async (): Promise<Browser> =>
  chromium.launch({
    executablePath: await headlessChromiumPath(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      '--autoplay-policy=no-user-gesture-required',
    ],
  })

/** What a page reports about its first frame, in milliseconds since the navigation. */
export interface FirstFrame {
  firstFrameMs: number
  requests: { url: string; startMs: number; endMs: number; transferredBytes: number }[]
  /** Total time of main-thread tasks over 50 ms before the frame. */
  longTasksMs: number
  firstPaintMs: number
}

// Runs before the page's own scripts and plays like a browser that allows autoplay.
const WATCH = `(() => {
  const tasks = []
  new PerformanceObserver((list) => tasks.push(...list.getEntries()))
    .observe({ type: 'longtask', buffered: true })
  const report = (now) => {
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
      video.requestVideoFrameCallback(report)
    }
  }
  new MutationObserver(look).observe(document, { childList: true, subtree: true })
})()`

/** Makes every document that `page` opens play muted and report its first frame. */
export const watchFirstFrame = (page: Page): Promise<void> =>
  page.addInitScript({ content: WATCH }).then(() => undefined)

/** Resolves when the video has played for a second. */
export async function hasPlayed(page: Page): Promise<void> {
  const hasPlayedOneSecond = () => {
    const { document } = globalThis as unknown as { document: PlayingDocument }
    return (document.querySelector('video')?.currentTime ?? 0) > 1
  }
  await page.waitForFunction(hasPlayedOneSecond, undefined, { polling: 100 })
}

interface PlayingDocument {
  querySelector(name: string): { currentTime: number } | null
}

/** Resolves when the first frame is visible. */
export async function firstFrameOf(page: Page): Promise<FirstFrame> {
  // A function instead of a text, because the page's policy forbids eval.
  const read = () => (globalThis as { firstFrame?: FirstFrame }).firstFrame
  const handle = await page.waitForFunction(read, undefined, { polling: 100 })
  const frame = await handle.jsonValue()
  if (!frame) throw new Error('the page reported no frame')
  return frame
}
