import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../domain/language.ts'
import { contrast } from '../../player/client/colors/readable-colors.ts'
import { itOfAll, someOf } from '../infrastructure/every-case.ts'
import { waitFor } from '../infrastructure/wait-for.ts'
import { openState, STATES, type State } from '../looks/states.ts'
import { axeFaults } from './axe.ts'
import {
  openEmbeddedPlayerFixture,
  PREPARED_WITHIN_MS,
  type EmbeddedPlayerFixture,
} from './embedded-player.ts'
import { leave } from './idle-pages.ts'
import {
  openBlank,
  openEmbed,
  play,
  tapInARow,
  untilMessage,
  untilReady,
  visitEmbed,
} from './viewer.ts'

let fixture: EmbeddedPlayerFixture
let videoId: string

beforeAll(async () => {
  fixture = await openEmbeddedPlayerFixture()
  videoId = fixture.wideId
  await fixture.annotate(videoId, {
    captions: { en: 'Hello', de: 'Hallo', ar: 'مرحبا' },
    chapters: [{ title: 'One', start: 0, end: 9 }],
    moments: [{ label: 'Here', timestamp: 12 }],
  })
}, PREPARED_WITHIN_MS)

afterAll(() => fixture?.close())

/** All but those that other tests have. */
const OTHER_LANGUAGES = LANGUAGES.filter((one) => one !== 'en' && one !== 'ar')

const NO_BOX = { x: NaN, y: NaN, width: NaN, height: NaN }

/** The state that was tested last, and the page that is in it. */
let last: { page: Page; state: State } | null = null

/** Brings a page into a state: that of the state before, if this one begins in the same way. */
async function pageIn(state: State): Promise<Page> {
  const before = STATES[STATES.indexOf(state) - 1]
  if (state.beginsAsBefore === true && last?.state === before && last) {
    await state.restore?.(last.page)
    last = { page: last.page, state }
    return last.page
  }
  await leaveLast()
  await fixture.configure({ ...state.settings })
  const viewport = { width: 800, height: 450 }
  const page = await openBlank(fixture, { bypassCSP: true, viewport, ...state.context })
  last = { page, state }
  await openState(fixture, page, videoId, state)
  return page
}

async function leaveLast(): Promise<void> {
  if (last) await leave(last.page)
  last = null
}

const open = (query: string, size = { width: 800, height: 450 }): Promise<Page> =>
  openEmbed(fixture, videoId, { query, bypassCSP: true, viewport: size })

async function openSettings(page: Page): Promise<void> {
  await page.click('media-settings-menu-button')
  await page.waitForSelector('media-settings-menu:not([hidden])')
}

describe('the player', () => {
  afterAll(async () => {
    await leaveLast()
    await fixture.configure({})
  })

  it.each(someOf(STATES, 11))(
    'has no violation of WCAG in the state of the contact sheet: $name',
    async (state) => {
      const page = await pageIn(state)
      expect(await axeFaults(page)).toEqual([])
    },
    60_000,
  )
})

describe('the player', () => {
  // Colours are the same in every language.
  it('has no violation of WCAG in Arabic: at rest, playing, with its menus and its help open', async () => {
    const page = await open('lang=ar&captions=en')
    await untilReady(page)
    await page.waitForSelector('media-captions-button[mediasubtitleslist]', { state: 'attached' })
    expect(await axeFaults(page, 'no contrast')).toEqual([])
    await play(page)
    expect(await axeFaults(page, 'no contrast')).toEqual([])
    await page.mouse.move(200, 200)
    await openSettings(page)
    expect(await axeFaults(page, 'no contrast')).toEqual([])
    await page.click('media-settings-menu-item:has(#quality-menu)')
    expect(await axeFaults(page, 'no contrast')).toEqual([])
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    await page.keyboard.press('?')
    await page.waitForSelector('dialog#help:popover-open')
    expect(await axeFaults(page, 'no contrast')).toEqual([])
    await leave(page)
  }, 90_000)

  itOfAll(
    'has no violation of WCAG in every other language, with its menus open',
    async () => {
      const page = await openBlank(fixture, { bypassCSP: true })
      for (const language of OTHER_LANGUAGES) {
        await visitEmbed(fixture, page, videoId, { query: `lang=${language}&captions=en` })
        await untilReady(page)
        await page.waitForSelector('media-captions-button[mediasubtitleslist]', {
          state: 'attached',
        })
        await openSettings(page)
        expect([language, await axeFaults(page, 'no contrast')]).toEqual([language, []])
      }
      await leave(page)
    },
    90_000,
  )

  itOfAll(
    'has no violation of WCAG in a light theme with unreadable colours',
    async () => {
      await fixture.configure({
        theme: 'light',
        colors: { accent: '#ffff00', background: '#ffffff', text: '#eeeeee' },
      })
      const page = await open('')
      await play(page)
      await page.mouse.move(200, 200)
      await openSettings(page)
      expect(await axeFaults(page)).toEqual([])
      await leave(page)
      await fixture.configure({})
    },
    60_000,
  )

  itOfAll(
    'announces errors to screen readers',
    async () => {
      const page = await openBlank(fixture, { bypassCSP: true })
      await page.route('**/licence/clearkey', (route) => route.fulfill({ status: 403, body: '{}' }))
      await visitEmbed(fixture, page, videoId)
      await untilMessage(page, 'licence_refused')
      expect(await page.getAttribute('#message', 'role')).toBe('alert')
      expect(await axeFaults(page)).toEqual([])
      await leave(page)
    },
    60_000,
  )

  it('fits into frames from 320 × 180 to 3840 × 2160, every control of 44 pixels', async () => {
    const page = await openBlank(fixture)
    for (const width of someOf([320, 640, 1280, 3840], 4)) {
      await page.setViewportSize({ width, height: (width * 9) / 16 })
      await visitEmbed(fixture, page, videoId)
      await untilReady(page)
      const boxes = await page.evaluate(() =>
        Array.from(document.querySelectorAll('.bar > *, .big'))
          .filter((element) => element.checkVisibility() && !element.matches('.space, #chapter'))
          .map((element) => {
            const { left, right, top, bottom, width, height } = element.getBoundingClientRect()
            const isInside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight
            return { name: element.localName, isInside, isLarge: width >= 44 && height >= 44 }
          }),
      )
      expect(boxes.length).toBeGreaterThanOrEqual(5)
      const wrong = boxes.filter(({ isInside, isLarge }) => !isInside || !isLarge)
      expect([width, wrong]).toEqual([width, []])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    }
    await leave(page)
  }, 90_000)

  itOfAll(
    'keeps play, the time and full screen at 200 × 112, and fits an error and the end into it',
    async () => {
      await fixture.configure({
        end_screen: {
          action: 'link',
          link_url: 'https://www.example.com/',
          link_text: 'Next lesson',
        },
      })
      const page = await openBlank(fixture, { viewport: { width: 200, height: 112 } })
      await visitEmbed(fixture, page, videoId)
      await untilReady(page)
      const boxOf = async (selector: string) => {
        const { x, y, width, height } = (await page.locator(selector).boundingBox()) ?? NO_BOX
        return { left: x, top: y, right: x + width, bottom: y + height }
      }
      const bar = await boxOf('media-control-bar.bar')
      for (const control of ['media-play-button', 'time-display', 'media-fullscreen-button'])
        expect((await boxOf(`.bar > ${control}`)).right).toBeLessThanOrEqual(200)
      const poster = await boxOf('.centre media-play-button')
      expect(poster.top).toBeGreaterThanOrEqual(0)
      expect(poster.bottom).toBeLessThanOrEqual(bar.top)

      await play(page)
      await page.keyboard.press('End')
      await page.waitForSelector('html[data-state="ended"]', { state: 'attached' })
      const rail = await boxOf('.rail')
      expect((await boxOf('.end-link')).bottom).toBeLessThanOrEqual(rail.bottom - 13)

      await page.route('**/licence/clearkey', (route) => route.fulfill({ status: 403, body: '{}' }))
      await visitEmbed(fixture, page, videoId, { query: 'autoplay=1&muted=1' })
      await untilMessage(page, 'licence_refused')
      const message = page.locator('#message')
      await message.getByText('licence_refused').waitFor()
      expect(await message.evaluate((box) => box.scrollHeight - box.clientHeight)).toBe(0)
      await leave(page)
      await fixture.configure({})
    },
    60_000,
  )

  it('shows in forced colours what has been played, with a contrast of three to what is left', async () => {
    const page = await openEmbed(fixture, videoId, { forcedColors: 'active' })
    await play(page)
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      const [played = '', ...rest] = await page.evaluate(() => {
        const bar = document.querySelector('media-time-range')?.shadowRoot
        return ['progress', 'track', 'buffered'].map((name) => {
          const part = bar?.querySelector(`[part~="${name}"]`)
          const colour = part ? getComputedStyle(part).backgroundColor : ''
          return colour.startsWith('rgb(')
            ? `#${colour.replaceAll(/\D*(\d+)\D*/g, (_, value) => Number(value).toString(16).padStart(2, '0'))}`
            : null
        })
      })
      for (const colour of rest)
        if (colour !== null) expect(contrast(played ?? '', colour)).toBeGreaterThanOrEqual(3)
    }
    await leave(page)
  }, 60_000)

  it('animates nothing if the viewer prefers reduced motion', async () => {
    const page = await openEmbed(fixture, videoId, { reducedMotion: 'reduce' })
    await untilReady(page)
    const transition = await page.evaluate(() => {
      const bar = document.querySelector('media-control-bar')
      return bar ? getComputedStyle(bar).transitionDuration : ''
    })
    expect(transition).toBe('0s')
    await leave(page)
  }, 60_000)

  it('can be used by keys alone: Tab reaches every control', async () => {
    const page = await open('')
    await untilReady(page)
    const reached = new Set<string>()
    for (let press = 0; press < 14; press += 1) {
      await page.keyboard.press('Tab')
      reached.add(await page.evaluate(() => document.activeElement?.localName ?? ''))
    }
    for (const name of [
      'media-play-button',
      'media-mute-button',
      'media-volume-range',
      'media-time-range',
      'time-display',
      'media-captions-button',
      'media-settings-menu-button',
      'media-pip-button',
      'media-fullscreen-button',
    ])
      expect(reached).toContain(name)
    await leave(page)
  }, 60_000)

  itOfAll(
    'seeks ten seconds back or forward when a side of the picture is tapped twice',
    async () => {
      const context = { hasTouch: true, viewport: { width: 600, height: 340 } }
      const page = await openEmbed(fixture, videoId, context)
      await untilReady(page)
      const isThere = (to: number) => document.querySelector('video')?.currentTime === to
      const tapTwice = (x: number, seconds: number) =>
        waitFor(`the position ${seconds}`, () =>
          tapInARow(page, { x, y: 120, taps: 2 }, (timeout) =>
            page.waitForFunction(isThere, seconds, { timeout }),
          ),
        )
      await tapTwice(560, 10)
      await tapTwice(40, 0)
      await leave(page)
    },
    60_000,
  )
})
