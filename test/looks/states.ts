import type { BrowserContextOptions, Page } from 'playwright-core'
import type { PlayerSettings } from '../../domain/settings/player-settings.ts'
import type { Preparation } from '../../player/player-data.ts'
import type { EmbeddedPlayerFixture } from '../browser/embedded-player.ts'
import {
  changePreparation,
  changeResponses,
  untilPreparing,
  untilTime,
} from '../browser/growing-page.ts'
import { play, seek, untilMenus, untilMessage, untilReady, visitEmbed } from '../browser/viewer.ts'

/** What a player shows. */
export interface State {
  name: string
  /** Query of the embed address. */
  query?: string
  settings?: Partial<PlayerSettings>
  context?: BrowserContextOptions
  /** True if the address has a viewer token. */
  isSignedIn?: boolean
  /** Before the page loads. */
  before?: (page: Page) => Promise<unknown>
  /** Brings the page into the state, once. */
  enter: (page: Page) => Promise<unknown>
  /** Restores what a change of the size ends, such as an open menu. */
  restore?: (page: Page) => Promise<unknown>
  /** True if the page that is in the state before needs only `restore` for this one. */
  beginsAsBefore?: boolean
}

const MIDDLE_SECONDS = 7

async function watch(page: Page): Promise<void> {
  await play(page)
  await seek(page, MIDDLE_SECONDS)
  await untilTime(page, MIDDLE_SECONDS + 0.1)
}

async function pause(page: Page): Promise<void> {
  await watch(page)
  await page.evaluate(() => document.querySelector('video')?.pause())
}

const stir = async (page: Page): Promise<void> => {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  await page.mouse.move(width / 2, height / 3)
  await page.mouse.move(width / 2 + 2, height / 3)
}

const click = (page: Page, selector: string): Promise<void> =>
  page.evaluate((found) => document.querySelector<HTMLElement>(found)?.click(), selector)

const closeMenus = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const menu of document.querySelectorAll<HTMLElement>(
      'media-settings-menu, media-settings-menu [slot="submenu"]',
    ))
      menu.hidden = true
  })

async function openSettings(page: Page, submenu?: string): Promise<void> {
  await closeMenus(page)
  await stir(page)
  await untilMenus(page)
  // The smallest frames have no such button, and no menu.
  const button = page.locator('media-settings-menu-button')
  if (!(await button.isVisible())) return
  await button.click()
  if (submenu) await click(page, `media-settings-menu-item:has(#${submenu})`)
}

async function openWay(page: Page, index: number): Promise<void> {
  await untilMenus(page)
  await page.waitForSelector('#captions-menu .way', { state: 'attached' })
  await page.evaluate(
    (at) => document.querySelectorAll<HTMLElement>('#captions-menu .way')[at]?.click(),
    index,
  )
  await page.waitForSelector('.panel')
}

async function hoverSeekBar(page: Page): Promise<void> {
  await stir(page)
  const box = await page.locator('media-time-range').boundingBox()
  if (box) await page.mouse.move(box.x + box.width * 0.68, box.y + box.height / 2)
}

/** Lets the page and the server say that the video is still being prepared. */
async function prepare(page: Page, preparation: Partial<Preparation>): Promise<void> {
  await changeResponses(page, /\/MQ|\/[0-9a-f]{20}\/[\w%]+(\?|$)/, (text) =>
    text.replace('"isPreparing":false', '"isPreparing":true'),
  )
  const whole = { ready: [], duration: 20, seconds_left: 25, renditions: 2, ...preparation }
  await changePreparation(page, () => whole)
}

/** A second language is shown below the first. */
async function showSecondLanguage(page: Page): Promise<void> {
  await pause(page)
  await openWay(page, 1)
  await page.locator('.caption-panel select').first().selectOption({ label: 'de' })
  await page.keyboard.press('Escape')
}

async function loopPart(page: Page): Promise<void> {
  await pause(page)
  await page.keyboard.press('a')
  await seek(page, MIDDLE_SECONDS + 4)
  await page.keyboard.press('b')
  await page.waitForSelector('.rail .loop', { state: 'attached' })
}

const WATERMARK = { enabled: true, required: true, opacity: 0.4, size: 'medium' } as const

const END = {
  action: 'link',
  link_url: 'https://www.example.com/next',
  link_text: 'Next lesson',
} as const

/** The states of the player page, of each of which there is one contact sheet. */
export const STATES: readonly State[] = [
  { name: 'poster', enter: untilReady },
  { name: 'playing', query: 'captions=en', enter: pause, restore: hideControls },
  { name: 'controls', query: 'captions=en', enter: pause, restore: stir },
  {
    name: 'captions-menu',
    query: 'captions=en',
    enter: pause,
    restore: (page) => openSettings(page, 'captions-menu'),
    beginsAsBefore: true,
  },
  { name: 'preview', enter: pause, restore: hoverSeekBar },
  {
    name: 'settings',
    enter: pause,
    restore: (page) => openSettings(page),
    beginsAsBefore: true,
  },
  {
    name: 'quality',
    enter: pause,
    restore: (page) => openSettings(page, 'quality-menu'),
    beginsAsBefore: true,
  },
  {
    name: 'context-menu',
    enter: pause,
    async restore(page) {
      const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
      await page.keyboard.press('Escape')
      await page.mouse.click(width / 3, height / 4, { button: 'right' })
      await page.waitForSelector('.context-menu')
    },
    beginsAsBefore: true,
  },
  {
    name: 'settings-touch',
    context: { hasTouch: true, isMobile: true },
    enter: pause,
    restore: (page) => openSettings(page),
  },
  { name: 'two-languages', query: 'captions=en', enter: showSecondLanguage, restore: hideControls },
  { name: 'loop', enter: loopPart, restore: stir },
  {
    name: 'no-picture-in-picture',
    settings: { watermark: WATERMARK },
    isSignedIn: true,
    enter: pause,
    restore: (page) => page.keyboard.press('i'),
  },
  {
    name: 'buffering',
    before: (page) => page.route(/\/media\/.*\.(m4s|mp4)/, () => undefined),
    query: 'autoplay=1&muted=1',
    async enter(page) {
      await page.waitForSelector('html[data-buffering]', { state: 'attached', timeout: 60_000 })
      await page.waitForSelector('#waiting:not(:empty)', { state: 'attached', timeout: 60_000 })
    },
  },
  {
    name: 'waiting',
    before: (page) => prepare(page, {}),
    async enter(page) {
      await untilPreparing(page, 'start')
      await page.waitForSelector('.preparing-start p')
    },
    restore: stir,
  },
  {
    name: 'waiting-for-part',
    async before(page) {
      const ready: Preparation['ready'] = [
        [0, 8],
        [16, 20],
      ]
      await prepare(page, { ready })
      await page.route(/\/[345]\.m4s/, () => undefined)
      await page.route(/manifest\.mpd\?from/, (route) =>
        route.continue({ url: route.request().url().replace(/\?.*/, '') }),
      )
    },
    async enter(page) {
      await play(page)
      await seek(page, 12)
      await untilPreparing(page, 'part')
      await page.waitForSelector('.preparing-part p')
      await page.waitForSelector('html[data-buffering]', { state: 'attached' })
    },
    restore: stir,
  },
  {
    name: 'end',
    settings: { end_screen: END },
    async enter(page) {
      await play(page)
      await page.evaluate(() => {
        const video = document.querySelector('video')
        if (video) video.currentTime = video.duration - 0.2
      })
      await page.waitForSelector('html[data-state="ended"]', { state: 'attached' })
    },
  },
  {
    name: 'error',
    before: (page) =>
      page.route('**/licence/clearkey', (route) =>
        route.fulfill({ status: 403, json: { error: { code: 'viewer_revoked', message: '' } } }),
      ),
    query: 'autoplay=1&muted=1',
    async enter(page) {
      await untilMessage(page, 'viewer_revoked')
      await page.waitForSelector('#message:not([hidden])')
    },
  },
  {
    name: 'keyboard-help',
    async enter(page) {
      await pause(page)
      await page.keyboard.press('?')
      await page.waitForSelector('#help:popover-open')
    },
  },
  {
    name: 'statistics',
    async enter(page) {
      await pause(page)
      await page.mouse.click(200, 100, { button: 'right' })
      await page.locator('.context-menu button').last().click()
      await page.waitForSelector('.statistics dd')
    },
  },
  {
    name: 'transcript',
    async enter(page) {
      await pause(page)
      await openWay(page, 0)
      await page.waitForSelector('.transcript [aria-current]')
    },
  },
  {
    name: 'caption-style',
    query: 'captions=en',
    async enter(page) {
      await pause(page)
      await openWay(page, 1)
    },
  },
]

/** As if the pointer rested while the video plays. */
function hideControls(page: Page): Promise<void> {
  return page.evaluate(() => {
    const player = document.querySelector('media-controller')
    player?.removeAttribute('mediapaused')
    player?.setAttribute('userinactive', '')
  })
}

/** Opens the player in a blank page and brings it into a state. The fixture must be configured for the state. */
export async function openState(
  fixture: EmbeddedPlayerFixture,
  page: Page,
  videoId: string,
  state: State,
): Promise<void> {
  await state.before?.(page)
  const vt = state.isSignedIn === true ? fixture.vt('ann@school.example') : undefined
  await visitEmbed(fixture, page, videoId, { query: state.query, vt })
  await state.enter(page)
  await state.restore?.(page)
}
