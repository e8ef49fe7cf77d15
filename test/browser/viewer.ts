import {
  errors,
  type BrowserContextOptions,
  type Frame,
  type Page,
  type Response,
} from 'playwright-core'
import { decodeFailureCode } from '../../domain/playback-reports/failure-code.ts'
import { waitFor } from '../infrastructure/wait-for.ts'
import type { EmbeddedPlayerFixture } from './embedded-player.ts'
import { takeIdlePage, useScript } from './idle-pages.ts'
import { stateOf } from './video-state.ts'

interface EmbedOptions {
  /** Query of the embed page, such as `autoplay=1`. */
  query?: string | undefined
  vt?: string | undefined
  /** The page that embeds the video. */
  referer?: string | undefined
}

/** Opens the embed page in `page`, like the frame of a site. */
export function visitEmbed(
  fixture: EmbeddedPlayerFixture,
  page: Page,
  videoId: string,
  { query = '', vt, referer = fixture.siteUrl('site.localhost') }: EmbedOptions = {},
): Promise<Response | null> {
  const url = new URL(fixture.embedUrl(videoId, vt))
  for (const [name, value] of new URLSearchParams(query)) url.searchParams.set(name, value)
  return page.goto(url.href, { referer })
}

/** Opens the embed page like the frame of a site, in a browser that has stored nothing. */
export async function openEmbed(
  fixture: EmbeddedPlayerFixture,
  videoId: string,
  { query, vt, referer, ...context }: EmbedOptions & BrowserContextOptions = {},
): Promise<Page> {
  const page = await openBlank(fixture, context)
  await visitEmbed(fixture, page, videoId, { query, vt, referer })
  return page
}

/** Opens a page for changes before the embed page is loaded: one that a test has left, or one in a new browser context. */
export const openBlank = (
  { browser }: EmbeddedPlayerFixture,
  options?: BrowserContextOptions,
): Promise<Page> => takeIdlePage(browser, options)

/**
 * Lets the next document in `page` send the heartbeats of every five seconds, which come up to a tenth earlier, four
 * times a second, and shortens its other timers of five seconds. `heartbeatsOfReady` counts those of every minute that it plans.
 * The timers of Shaka Player stay as they are: it ends a request for a segment that pauses for five seconds, and on a busy
 * machine each pauses for a quarter of a second.
 */
export const hastenHeartbeats = (page: Page): Promise<unknown> =>
  useScript(page, () => {
    const real = window.setTimeout.bind(window)
    const counted = Object.assign(window, { heartbeatsOfReady: 0 })
    const hastened = (action: TimerHandler, delayMs = 0, ...given: unknown[]): number => {
      if (delayMs >= 54_000 && delayMs <= 60_000) counted.heartbeatsOfReady += 1
      const isOther = delayMs < 4_500 || delayMs > 5_000
      const isLeft = isOther || /\/shaka-\w+\.js/.test(new Error().stack ?? '')
      return real(action, isLeft ? delayMs : 250, ...given)
    }
    Object.assign(window, { setTimeout: hastened })
  })

/** Waits until the page of `hastenHeartbeats` plans a heartbeat of every minute, as those of a `ready` video are. */
export const untilOrdinaryHeartbeats = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => Number(Reflect.get(window, 'heartbeatsOfReady')) > 0)

/** Opens the embed page like the frame of a site, with the heartbeats of `hastenHeartbeats`. */
export async function openHastened(
  fixture: EmbeddedPlayerFixture,
  videoId: string,
  options?: EmbedOptions,
): Promise<Page> {
  const page = await openBlank(fixture)
  await hastenHeartbeats(page)
  await visitEmbed(fixture, page, videoId, options)
  return page
}

/** Waits until the video can play and the controls are loaded. */
export const untilReady = (page: Page): Promise<unknown> =>
  page.waitForSelector('html[data-controls]:not([data-state="loading"])', { state: 'attached' })

/** Starts playback, and waits until the position has advanced. */
export async function play(page: Page): Promise<void> {
  await untilReady(page)
  await page.evaluate(() => void document.querySelector('video')?.play())
  await untilPlays(page)
}

/** Waits until the position has advanced by a quarter of a second. Throws with the state of the video when it does not. */
export async function untilPlays(page: Page): Promise<void> {
  const from = await position(page)
  const hasAdvanced = (start: number): boolean => {
    const video = document.querySelector('video')
    return video !== null && !video.paused && video.currentTime > start + 0.25
  }
  try {
    await page.waitForFunction(hasAdvanced, from, { timeout: 30_000 })
  } catch (error) {
    throw new Error(`the video does not play: ${await stateOf(page)}`, { cause: error })
  }
}

/**
 * Taps a place several times in a row. Resolves to whether `untilSeen` found the effect in the time that it is given: on a
 * busy machine a tap may come too late to belong to the others, and the test taps again.
 */
export async function tapInARow(
  page: Page,
  { x, y, taps }: { x: number; y: number; taps: number },
  untilSeen: (timeoutMs: number) => Promise<unknown>,
): Promise<boolean> {
  for (let tap = 0; tap < taps; tap++) await page.touchscreen.tap(x, y)
  return untilSeen(5_000).then(
    () => true,
    () => false,
  )
}

export const position = (page: Page): Promise<number> =>
  page.evaluate(() => document.querySelector('video')?.currentTime ?? 0)

/** Waits until the rung of this height is in the picture. */
export const untilHeight = (page: Page, wanted: number): Promise<unknown> =>
  page.waitForFunction((height) => document.querySelector('video')?.videoHeight === height, wanted)

export const seek = (page: Page, seconds: number): Promise<void> =>
  page.evaluate((to) => {
    const video = document.querySelector('video')
    if (video) video.currentTime = to
  }, seconds)

/** Plays at `rate` times the speed. Resolves to the position from which it does. */
export const playAtRate = (page: Page, rate: number): Promise<number> =>
  page.evaluate((wanted) => {
    const video = document.querySelector('video')
    if (!video) return NaN
    video.playbackRate = wanted
    return video.currentTime
  }, rate)

export const isPaused = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.querySelector('video')?.paused ?? true)

/** Returns the code of the error that the page shows, or null. */
export const shownError = (page: Page): Promise<string | null> =>
  page.evaluate(() => document.documentElement.dataset.error ?? null)

/** Waits until the page shows the error with this code, and the code to read out, which must say the same. */
export async function untilMessage(page: Page | Frame, code: string): Promise<void> {
  const timeout = 60_000
  await page.waitForSelector(`html[data-error="${code}"]`, { state: 'attached', timeout })
  await page.waitForFunction(
    (wanted) => document.querySelector('#message .code bdi:last-child')?.textContent === wanted,
    code,
    { timeout },
  )
  const shown = await page.textContent('#message .code bdi[dir]')
  if (decodeFailureCode(shown ?? '')?.cause !== code)
    throw new Error(`the code ${shown} does not say ${code}`)
}

/** Uses the page, and waits until the menus of the settings have loaded, which they do then. */
export async function untilMenus(page: Page | Frame): Promise<void> {
  await page.waitForSelector('html[data-controls]', { state: 'attached' })
  await page.dispatchEvent('media-controller', 'pointermove')
  await page.waitForSelector('media-settings-menu:defined', { state: 'attached' })
}

export const IN_A_STEP = { timeout: 5_000 }

/**
 * Shows the controls and makes steps with them, of which each may take `IN_A_STEP`. On a busy machine the controls may hide, with the menu,
 * between two steps: a person then moves the mouse and begins again.
 */
export async function withControls(
  page: Page,
  what: string,
  steps: () => Promise<void>,
): Promise<void> {
  await waitFor(what, async () => {
    try {
      await page.mouse.move(200, 200)
      await page.mouse.move(201, 201)
      await steps()
      return true
    } catch (error) {
      if (error instanceof errors.TimeoutError) return null
      throw error
    }
  })
}

/**
 * Chooses the first item of a settings menu with a text outside parentheses, with the mouse: "Auto (360p)" is not 360p.
 * `isRefused` clicks an item although it is disabled.
 */
export async function choose(
  page: Page,
  menu: string,
  text: string,
  { isRefused = false }: { isRefused?: boolean } = {},
): Promise<void> {
  const entry = page.locator(`media-settings-menu-item:has(#${menu}-menu)`)
  const item = page
    .locator(`#${menu}-menu media-chrome-menu-item`)
    .filter({ hasText: new RegExp(`(?<!\\()${text}`, 'i') })
    .first()
  await withControls(page, `the item ${text} of the menu ${menu}`, async () => {
    if (!(await entry.isVisible())) await page.click('media-settings-menu-button', IN_A_STEP)
    if (!(await item.isVisible())) await entry.click(IN_A_STEP)
    if (!isRefused) await item.click(IN_A_STEP)
    else await item.hover(IN_A_STEP)
  })
  // `click` waits until an item is enabled, and `force` not even until it has stopped moving.
  if (isRefused) {
    await page.mouse.down()
    await page.mouse.up()
  }
  await page.keyboard.press('Escape')
}
