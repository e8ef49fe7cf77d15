import type { CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { itOfAll, someOf } from '../infrastructure/every-case.ts'
import { waitFor } from '../infrastructure/wait-for.ts'
import {
  openEmbeddedPlayerFixture,
  PREPARED_WITHIN_MS,
  type EmbeddedPlayerFixture,
} from './embedded-player.ts'
import { leave } from './idle-pages.ts'
import {
  isPaused,
  openBlank,
  openEmbed,
  play,
  position,
  untilMessage,
  untilPlays,
  untilReady,
  visitEmbed,
} from './viewer.ts'

const VIEWPORT = { width: 640, height: 360 }
const TELEVISION =
  'Mozilla/5.0 (SMART-TV; LINUX; Tizen 6.5) AppleWebKit/537.36 (KHTML, like Gecko) 85.0.4183.93/6.5 TV Safari/537.36'
let fixture: EmbeddedPlayerFixture
let videoId: string

beforeAll(async () => {
  fixture = await openEmbeddedPlayerFixture()
  videoId = fixture.wideId
  await fixture.annotate(videoId, { captions: { en: 'Hello', de: 'Hallo' } })
}, PREPARED_WITHIN_MS)

afterAll(() => fixture?.close())

async function open(context: object = {}): Promise<Page> {
  const page = await openEmbed(fixture, videoId, { viewport: VIEWPORT, locale: 'en', ...context })
  await untilReady(page)
  await page.waitForSelector('media-captions-button[mediasubtitleslist]', { state: 'attached' })
  return page
}

const focused = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.localName ?? '')

/** What Media Chrome knows of the video; it decides what the next use of a control does. */
const controllerHas = (state: string) => (page: Page) =>
  page.evaluate(
    (wanted) => document.querySelector('media-controller')?.matches(wanted) === true,
    state,
  )

const areCaptionsOn = (page: Page): Promise<boolean> =>
  page.evaluate(() =>
    [...(document.querySelector('video')?.textTracks ?? [])].some(
      ({ kind, mode }) => kind === 'captions' && mode === 'showing',
    ),
  )

/** A control, and what shows that it was used. */
interface Use {
  control: string
  isUsed: (page: Page) => Promise<boolean>
}

/** The buttons from left to right, each of which is used twice. */
const BUTTONS: readonly Use[] = [
  { control: 'media-play-button', isUsed: controllerHas(':not([mediapaused])') },
  { control: 'media-mute-button', isUsed: controllerHas('[mediavolumelevel="off"]') },
  {
    control: 'time-display',
    isUsed: (page) =>
      page
        .locator('time-display[remaining]')
        .count()
        .then((count) => count === 1),
  },
  { control: 'media-captions-button', isUsed: areCaptionsOn },
  { control: 'media-fullscreen-button', isUsed: controllerHas('[mediaisfullscreen]') },
]

async function useTwice(page: Page, { control, isUsed }: Use, use: () => Promise<unknown>) {
  for (const wanted of [true, false]) {
    await use()
    await waitFor(`${control} ${wanted}`, async () => (await isUsed(page)) === wanted, 10_000)
  }
}

interface Point {
  x: number
  y: number
}

/** How a device presses a point of the window. */
type Press = (page: Page, point: Point) => Promise<unknown>

async function pressPen(devtools: CDPSession, { x, y }: Point): Promise<void> {
  const pen = { x, y, pointerType: 'pen' } as const
  await devtools.send('Input.dispatchMouseEvent', { ...pen, type: 'mouseMoved' })
  for (const type of ['mousePressed', 'mouseReleased'] as const)
    await devtools.send('Input.dispatchMouseEvent', {
      ...pen,
      type,
      button: 'left',
      buttons: type === 'mousePressed' ? 1 : 0,
      clickCount: 1,
    })
}

const POINTERS: readonly { name: string; context: object; press: Press }[] = [
  { name: 'a mouse', context: {}, press: (page, { x, y }) => page.mouse.click(x, y) },
  {
    name: 'a finger',
    context: { hasTouch: true, isMobile: true },
    press: (page, { x, y }) => page.touchscreen.tap(x, y),
  },
  {
    name: 'a pen',
    context: {},
    press: async (page, point) => pressPen(await page.context().newCDPSession(page), point),
  },
]

/** The place of a control, at a share of its width. */
async function placeOf(page: Page, control: string, share = 0.5): Promise<Point> {
  const place = page.locator(control)
  await place.scrollIntoViewIfNeeded()
  const box = await place.boundingBox()
  if (!box) throw new Error(`${control} is not shown`)
  return { x: box.x + box.width * share, y: box.y + box.height / 2 }
}

/** Shows the controls that have hidden while the video plays. A press on the picture would do more than that. */
const wake = (page: Page): Promise<unknown> =>
  page.evaluate(() => document.querySelector('media-controller')?.removeAttribute('userinactive'))

describe.each(someOf(POINTERS, POINTERS.length))('$name', ({ context, press }) => {
  const pressOn = async (page: Page, control: string, share?: number) => {
    await wake(page)
    await press(page, await placeOf(page, control, share))
  }

  it('uses every button, seeks, and chooses from the settings', async () => {
    const page = await open(context)
    for (const use of BUTTONS)
      await useTwice(page, use, () => pressOn(page, `.bar > ${use.control}`))
    await pressOn(page, 'media-time-range', 0.5)
    await waitFor('the middle', async () => Math.abs((await position(page)) - 30) < 2)
    await pressOn(page, '.bar > media-settings-menu-button')
    await pressOn(page, 'media-settings-menu-item:has(#captions-menu)')
    await page.waitForSelector('#captions-menu:not([hidden])')
    await pressOn(page, '#captions-menu media-chrome-menu-item:has-text("de")')
    await waitFor('captions', () => areCaptionsOn(page))
    await leave(page)
  }, 90_000)

  it('uses the transcript', async () => {
    const page = await open(context)
    await pressOn(page, '.bar > media-settings-menu-button')
    await pressOn(page, 'media-settings-menu-item:has(#captions-menu)')
    await page.waitForSelector('#captions-menu:not([hidden])')
    await pressOn(page, '#captions-menu .way >> nth=0')
    await page.waitForSelector('.transcript li')
    await pressOn(page, '.transcript .close')
    await page.waitForSelector('.transcript', { state: 'detached' })
    await leave(page)
  }, 60_000)
})

describe('the keyboard', () => {
  itOfAll(
    'uses every button by Enter, and the sliders by arrows',
    async () => {
      const page = await open()
      for (const use of BUTTONS) {
        await page.locator(`.bar > ${use.control}`).focus()
        await useTwice(page, use, () => page.keyboard.press('Enter'))
      }
      await page.locator('media-time-range input').focus()
      await page.keyboard.press('ArrowRight')
      await waitFor('a seek', async () => (await position(page)) > 0)
      await page.locator('media-volume-range input').focus()
      await page.keyboard.press('ArrowLeft')
      await page.waitForFunction(() => (document.querySelector('video')?.volume ?? 1) < 1)
      await leave(page)
    },
    60_000,
  )
})

describe('a remote', () => {
  const television = { userAgent: TELEVISION }

  itOfAll(
    'plays by Enter, seeks by arrows and media keys, and enters the controls from the picture',
    async () => {
      const page = await open(television)
      const press = (key: string) => page.keyboard.press(key)
      await press('Enter')
      await untilPlays(page)
      const from = await position(page)
      await press('ArrowRight')
      await waitFor('a seek', async () => (await position(page)) >= from + 5)
      await page.evaluate(() =>
        dispatchEvent.call(document, new KeyboardEvent('keydown', { key: 'MediaFastForward' })),
      )
      await waitFor('a seek', async () => (await position(page)) >= from + 15)
      await press('ArrowUp')
      expect(await focused(page)).toBe('media-time-range')
      await press('ArrowDown')
      expect(await focused(page)).toBe('media-play-button')
      await press('ArrowUp')
      await press('ArrowUp')
      expect(await focused(page)).toBe('body')
      await leave(page)
    },
    60_000,
  )

  itOfAll(
    'reaches and uses every button by arrows and Enter',
    async () => {
      const page = await open(television)
      await page.keyboard.press('ArrowDown')
      for (const use of BUTTONS) {
        for (let steps = 0; (await focused(page)) !== use.control; steps++) {
          if (steps > 8) throw new Error(`the arrows do not reach ${use.control}`)
          await page.keyboard.press('ArrowRight')
        }
        await useTwice(page, use, () => page.keyboard.press('Enter'))
      }
      await leave(page)
    },
    60_000,
  )

  it('opens and uses settings, transcript, help and statistics, which Back closes', async () => {
    const page = await open(television)
    const press = async (...keys: string[]): Promise<void> => {
      for (const key of keys) await page.keyboard.press(key)
    }
    const back = () =>
      page.evaluate(() =>
        (document.activeElement ?? document.body).dispatchEvent(
          new KeyboardEvent('keydown', { key: 'GoBack', bubbles: true, composed: true }),
        ),
      )
    const openSettings = async (): Promise<void> => {
      await page.locator('.bar > media-settings-menu-button').focus()
      await press('Enter')
      await page.waitForSelector('media-settings-menu:not([hidden])')
    }
    /** Moves down until the item with a text has the focus, and enters it. */
    const enter = async (text: string): Promise<void> => {
      await waitFor(`the item ${text}`, async () => {
        const found = await page.evaluate(() => {
          const item = document.activeElement
          // A menu takes the focus shortly after it has opened. Before that, the arrow would leave its button.
          if (!item?.closest('[id$="menu"], media-settings-menu, .context-menu')) return null
          // A submenu is inside its item.
          return (item.querySelector(':scope > [data-word]') ?? item).textContent
        })
        if (found === text) return true
        if (found !== null) await press('ArrowDown')
        return false
      })
      await press('Enter')
    }

    await openSettings()
    await enter('Captions')
    await page.waitForSelector('#captions-menu:not([hidden])')
    await enter('Transcript')
    await page.waitForSelector('.transcript li')
    const from = await position(page)
    await press('ArrowDown', 'ArrowDown', 'ArrowDown')
    expect(await page.evaluate(() => document.activeElement?.closest('.transcript') !== null)).toBe(
      true,
    )
    expect(await position(page)).toBe(from)
    await back()
    await page.waitForSelector('.transcript', { state: 'detached' })

    await openSettings()
    await enter('Keyboard shortcuts')
    await page.waitForSelector('#help:popover-open')
    await back()
    await page.waitForSelector('#help:not(:popover-open)', { state: 'attached' })

    await openSettings()
    await enter('More')
    await page.waitForSelector('.context-menu')
    await enter('Statistics')
    await page.waitForSelector('.statistics dd')
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('close')
    await press('ArrowLeft')
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('copy')
    await back()
    await page.waitForSelector('.statistics', { state: 'detached' })
    await leave(page)
  }, 90_000)

  itOfAll(
    'reaches the link at the end, and what an error offers',
    async () => {
      await fixture.configure({
        end_screen: { action: 'link', link_url: 'https://www.example.com/', link_text: 'Next' },
      })
      const page = await openBlank(fixture, { viewport: VIEWPORT, locale: 'en', ...television })
      await visitEmbed(fixture, page, videoId)
      await play(page)
      await page.keyboard.press('End')
      await page.waitForSelector('html[data-state="ended"]', { state: 'attached' })
      for (let steps = 0; (await focused(page)) !== 'media-play-button'; steps++) {
        if (steps > 4) throw new Error('the arrows do not reach the replay button')
        await page.keyboard.press('ArrowUp')
      }
      await page.keyboard.press('ArrowRight')
      expect(await focused(page)).toBe('a')
      await page.keyboard.press('ArrowLeft')
      await page.keyboard.press('Enter')
      await waitFor('the replay', async () => !(await isPaused(page)))

      await page.route('**/licence/clearkey', (route) => route.fulfill({ status: 403, body: '{}' }))
      await visitEmbed(fixture, page, videoId, { query: 'autoplay=1&muted=1' })
      await untilMessage(page, 'licence_refused')
      await page.waitForSelector('#message:not([hidden]) button')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowRight')
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Copy details')
      await leave(page)
      await fixture.configure({})
    },
    90_000,
  )
})
