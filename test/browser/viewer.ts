import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { makeSource } from '../fixtures/sources.ts'
import type { EmbeddedPlayerFixture } from './embedded-player.ts'

/** A film that is quick to encode: rungs of 240p and 360p, sound. */
export async function makeSmallSource(
  fixture: EmbeddedPlayerFixture,
  seconds: number,
  languages: string[] = ['und'],
): Promise<string> {
  const path = join(fixture.folder, `source-${seconds}.mp4`)
  await makeSource(path, { seconds, size: '640x360', rate: 12, grain: false, languages })
  return path
}

export interface ViewerOptions extends BrowserContextOptions {
  /** Behind the address of the embed, such as `&autoplay=1`. */
  query?: string
  vt?: string
  /** Where the film is embedded. */
  referer?: string
}

/** Opens the embed as the frame of a site does, in a browser profile of its own. */
export async function openEmbed(
  fixture: EmbeddedPlayerFixture,
  videoId: string,
  { query = '', vt, referer = fixture.siteUrl('site.localhost'), ...options }: ViewerOptions = {},
): Promise<Page> {
  const context = await fixture.browser.newContext(options)
  const page = await context.newPage()
  const url = new URL(fixture.embedUrl(videoId, vt))
  for (const [name, value] of new URLSearchParams(query)) url.searchParams.set(name, value)
  await page.goto(url.href, { referer })
  return page
}

/** Waits until the film can be played, and the controls are there. */
export const untilReady = (page: Page): Promise<unknown> =>
  page.waitForSelector('html[data-controls]:not([data-state="loading"])', { state: 'attached' })

/** Presses play, and waits until the film has played for a moment. */
export async function play(page: Page): Promise<void> {
  await untilReady(page)
  await page.evaluate(() => void document.querySelector('video')?.play())
  await untilPlays(page)
}

/** Waits until the film has moved on by half a second. */
export async function untilPlays(page: Page): Promise<void> {
  const from = await position(page)
  await page.waitForFunction(
    (start) => {
      const video = document.querySelector('video')
      return video !== null && !video.paused && video.currentTime > start + 0.5
    },
    from,
    { timeout: 30_000 },
  )
}

export const position = (page: Page): Promise<number> =>
  page.evaluate(() => document.querySelector('video')?.currentTime ?? 0)

export const isPaused = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.querySelector('video')?.paused ?? true)

/** Waits for a message to the viewer with this code. */
export const untilMessage = (page: Page, code: string): Promise<unknown> =>
  page.waitForSelector(`html[data-error="${code}"]`, { state: 'attached', timeout: 60_000 })

/** Takes a choice of a menu of the settings, as a viewer does. */
export async function choose(page: Page, menu: string, text: string): Promise<void> {
  await page.mouse.move(200, 200)
  await page.click('media-settings-menu-button')
  await page.click(`media-settings-menu-item:has(#${menu}-menu)`)
  await page.click(`#${menu}-menu media-chrome-menu-item:has-text("${text}")`)
  await page.keyboard.press('Escape')
}
