import type { Browser, Page } from 'playwright-core'
import { waitFor } from '../infrastructure/wait-for.ts'
import { useScript } from './idle-pages.ts'

/** A rectangle of a page, in CSS pixels, with the number of its pixels that differ. */
export interface Changed {
  left: number
  top: number
  right: number
  bottom: number
  count: number
}

/** The page of a player, or its frame in another page. */
type Player = Pick<Page, 'evaluate'>

/**
 * Makes the guard check the watermark several times. It checks at random times, and whenever the video
 * changes its size.
 */
export const check = (player: Player): Promise<void> =>
  player.evaluate(async () => {
    for (let times = 0; times < 5; times += 1) {
      document.querySelector('video')?.dispatchEvent(new Event('resize'))
      // Mutation observers run between them.
      await Promise.resolve()
    }
  })

/** Lets the clock of the guard in the next documents of `page` run five times as fast, so that the watermark moves each second. */
export const hastenMark = (page: Page): Promise<void> =>
  useScript(page, () => {
    const now = performance.now.bind(performance)
    Performance.prototype.now = () => now() * 5
  })

/** Removes the watermark. The guard puts it back at another place, and forgives that once a minute. */
const remove = (player: Player): Promise<void> =>
  player.evaluate(() => document.querySelector('#player')?.lastElementChild?.remove())

/** Resolves when the watermark has moved at a time of its own. */
export const untilMoved = (player: Player): Promise<void> =>
  player.evaluate(
    () =>
      new Promise<void>((resolve) => {
        document.addEventListener(
          'beforetoggle',
          (event) => {
            const isMark = event.target === document.querySelector('#player')?.lastElementChild
            if (isMark && (event as ToggleEvent).newState === 'open') resolve()
          },
          { capture: true },
        )
      }),
  )

/** Hides everything that changes by itself: controls fade, and the seek bar shows the buffer. */
const STILL = 'media-control-bar, media-loading-indicator, .title { visibility: hidden !important }'

/**
 * Returns the area of the watermark, as the pixels that differ between two of its places; `move` moves it.
 * Nothing else may move, so the video is paused, the viewer prefers reduced motion, and each screenshot waits until the
 * page is still.
 */
export async function markPixels(page: Page, move = remove): Promise<Changed> {
  const before = await stillScreenshot(page)
  await move(page)
  const after = await stillScreenshot(page)
  const browser = page.context().browser()
  if (!browser) throw new Error('the page has no browser')
  const other = await (comparers.get(browser) ?? openComparer(browser))
  return other.evaluate(
    compare,
    [before, after].map((shot) => shot.toString('base64')),
  )
}

/** The empty page of a browser in which screenshots are compared. */
const comparers = new WeakMap<Browser, Promise<Page>>()

function openComparer(browser: Browser): Promise<Page> {
  const opened = browser.newPage()
  comparers.set(browser, opened)
  return opened
}

/** A paused video may still show its last frame, and the page around the player may still move. */
async function stillScreenshot(page: Page): Promise<Buffer> {
  let last = await page.screenshot({ style: STILL })
  return waitFor('a still page', async () => {
    const [previous, shot] = [last, await page.screenshot({ style: STILL })]
    last = shot
    return shot.equals(previous) ? shot : null
  })
}

async function compare(shots: string[]): Promise<Changed> {
  const read = async (shot: string): Promise<ImageData> => {
    const image = new Image()
    image.src = `data:image/png;base64,${shot}`
    await image.decode()
    const canvas = new OffscreenCanvas(image.width, image.height)
    const context = canvas.getContext('2d')
    context?.drawImage(image, 0, 0)
    if (!context) throw new Error('no canvas')
    return context.getImageData(0, 0, image.width, image.height)
  }
  const [one, other] = await Promise.all(shots.map(read))
  if (!one || !other) throw new Error('two screenshots are required')
  const found = { left: Infinity, top: Infinity, right: 0, bottom: 0, count: 0 }
  for (let at = 0; at < one.data.length; at += 4) {
    const isSame = [0, 1, 2].every(
      (channel) => Math.abs((one.data[at + channel] ?? 0) - (other.data[at + channel] ?? 0)) < 16,
    )
    if (isSame) continue
    const [x, y] = [(at / 4) % one.width, Math.floor(at / 4 / one.width)]
    found.left = Math.min(found.left, x)
    found.top = Math.min(found.top, y)
    found.right = Math.max(found.right, x + 1)
    found.bottom = Math.max(found.bottom, y + 1)
    found.count += 1
  }
  return found
}
