import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_PLAYER_SETTINGS } from '../../domain/settings/player-settings.ts'
import { itOfAll, someOf } from '../infrastructure/every-case.ts'
import { waitFor } from '../infrastructure/wait-for.ts'
import {
  openEmbeddedPlayerFixture,
  PREPARED_WITHIN_MS,
  type EmbeddedPlayerFixture,
} from './embedded-player.ts'
import { leave } from './idle-pages.ts'
import {
  choose,
  hastenHeartbeats,
  isPaused,
  openBlank,
  openEmbed,
  play,
  untilMenus,
  untilPlays,
  untilReady,
  visitEmbed,
} from './viewer.ts'

const SECONDS = 60
const LONG_TITLE =
  'Regenbogenfarbenaustrittswinkelberechnung: why each colour leaves the drop at an angle of its own'
const MEDIUM = { width: 640, height: 360 }
let fixture: EmbeddedPlayerFixture
let videoId: string

beforeAll(async () => {
  fixture = await openEmbeddedPlayerFixture()
  videoId = fixture.wideId
  await fixture.annotate(videoId, {
    captions: { en: 'Hello', de: 'Hallo' },
    chapters: [{ title: LONG_TITLE, start: 0, end: SECONDS }],
  })
}, PREPARED_WITHIN_MS)

afterAll(() => fixture?.close())

const qualities = (page: Page): Promise<string[]> =>
  page.locator('#quality-menu media-chrome-menu-item span').allTextContents()

/** Waits until the settings show a text after a menu's name. */
const untilSetting = (page: Page, menu: string, text: string): Promise<unknown> =>
  page.waitForFunction(
    ([id, wanted]) =>
      document
        .querySelector(`media-settings-menu-item:has(#${id}-menu)`)
        ?.shadowRoot?.querySelector('[name="description"]')?.textContent === wanted,
    [menu, text] as const,
  )

const videoOf = (page: Page) =>
  page.evaluate(() => {
    const video = document.querySelector('video')
    const currentTime = Math.round(video?.currentTime ?? 0)
    return { muted: video?.muted, volume: video?.volume, currentTime }
  })

describe('the centre of the picture', () => {
  const WATERMARK = { enabled: true, required: true, opacity: 0.4, size: 'medium' } as const
  const untilHidden = (page: Page) =>
    page.waitForSelector('media-controller[userinactive]', { state: 'attached' })

  const marks = [
    ['under a watermark', WATERMARK],
    ['without a watermark', DEFAULT_PLAYER_SETTINGS.watermark],
  ] as const
  it.each(someOf(marks, 2))(
    'plays, pauses and plays again by the mouse, %s',
    async (_title, watermark) => {
      await fixture.configure({ watermark })
      const viewport = { width: 640, height: 360 }
      const page = await openEmbed(fixture, videoId, { viewport, vt: fixture.vt('ann') })
      await untilReady(page)
      const click = () => page.mouse.click(320, 180)
      await click()
      await untilPlays(page)
      await untilHidden(page)
      await click()
      await page.waitForFunction(() => document.querySelector('video')?.paused)
      await page.keyboard.press('End')
      await page.waitForFunction(() => document.querySelector('video')?.ended)
      await click()
      await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 99) < 30)
      await untilPlays(page)
      await leave(page)
      await fixture.configure({})
    },
    60_000,
  )

  it('shows the controls on a touch and keeps playing', async () => {
    await fixture.configure({ watermark: WATERMARK })
    const viewport = { width: 320, height: 180 }
    const options = { viewport, vt: fixture.vt('ann'), hasTouch: true, isMobile: true }
    const page = await openEmbed(fixture, videoId, options)
    await untilReady(page)
    await page.touchscreen.tap(160, 90)
    await untilPlays(page)
    await untilHidden(page)
    await page.touchscreen.tap(160, 90)
    await page.waitForSelector('media-controller:not([userinactive])')
    expect(await isPaused(page)).toBe(false)
    await leave(page)
    await fixture.configure({})
  }, 60_000)
})

describe('the picture while it plays', () => {
  const pointers = [
    ['a finger', { hasTouch: true, isMobile: true }],
    ['a mouse', {}],
  ] as const
  it.each(someOf(pointers, 2))(
    'is covered by nothing that takes a click or moves, with %s',
    async (_title, device) => {
      await fixture.configure({
        watermark: { enabled: true, required: true, opacity: 0.4, size: 'medium' },
      })
      const options = { viewport: MEDIUM, vt: fixture.vt('ann'), query: 'captions=en', ...device }
      const page = await openEmbed(fixture, videoId, options)
      await play(page)
      await page.waitForSelector('media-controller[userinactive]', { state: 'attached' })
      const covering = await page.evaluate(() => {
        const found = new Set<string>()
        for (let x = 5; x < innerWidth; x += 35)
          for (let y = 5; y < innerHeight; y += 25)
            found.add(document.elementFromPoint(x, y)?.localName ?? '')
        return [...found]
      })
      expect(covering).toEqual(['video'])
      await page.waitForFunction(() =>
        document.getAnimations().every(({ playState }) => playState !== 'running'),
      )
      await leave(page)
      await fixture.configure({})
    },
    60_000,
  )
})

describe('the card above the seek bar', () => {
  it('comes back with the pointer, stays inside the frame, and gives a title two lines', async () => {
    const page = await openEmbed(fixture, videoId, { viewport: MEDIUM })
    await play(page)
    await page.keyboard.press('k')
    await page.mouse.move(320, 100)
    const bar = (await page.locator('media-time-range').boundingBox()) ?? { x: 0, y: 0, width: 0 }
    const card = () =>
      page.evaluate(() => {
        const within = document.querySelector('media-time-range')?.shadowRoot
        const box = within?.querySelector('[part~="preview-box"]')
        const title = within?.querySelector('media-preview-chapter-display')
        if (!box || !title) return null
        const { left, right, top } = box.getBoundingClientRect()
        return {
          isShown: getComputedStyle(box).visibility === 'visible',
          isInside: left >= 0 && right <= innerWidth && top >= 0,
          titlePx: title.clientHeight,
        }
      })
    for (const share of [0.5, 0.5, 0.002, 0.998]) {
      await page.mouse.move(320, 100)
      await waitFor('no card', async () => (await card())?.isShown === false)
      await page.mouse.move(bar.x + bar.width * share, bar.y + 13)
      await waitFor('the card', async () => (await card())?.isShown === true)
      expect(await card()).toMatchObject({ isInside: true })
    }
    await page.waitForSelector('media-time-range[mediapreviewimage^="blob:"]')
    const { titlePx = 0 } = (await card()) ?? {}
    // Two lines of 13 pixels each, and the padding above.
    expect(titlePx).toBeGreaterThan(30)
    expect(titlePx).toBeLessThan(42)
    // A long word does not widen the card beyond its picture.
    const widths = await page.evaluate(() => {
      const within = document.querySelector('media-time-range')?.shadowRoot
      return ['thumbnail', 'chapter-display'].map(
        (name) => within?.querySelector(`media-preview-${name}`)?.clientWidth,
      )
    })
    expect(widths[1]).toBe(widths[0])

    await page.click('.bar > media-settings-menu-button')
    await page.click('media-settings-menu-item:has(#chapters-menu)')
    const title = page.locator('#chapters-menu media-chrome-menu-item span')
    await waitFor('a title that ends inside its item', () =>
      title.evaluate((span) => {
        const { right = 0 } = span.closest('[role]')?.getBoundingClientRect() ?? {}
        const isInside = span.getBoundingClientRect().right <= right
        return isInside && span.clientHeight > 0 && span.scrollHeight > span.clientHeight
      }),
    )
    await leave(page)
  }, 60_000)
})

describe('keys', () => {
  it('have the same effects as on YouTube', async () => {
    const page = await openEmbed(fixture, videoId)
    await untilReady(page)
    const press = (key: string) => page.keyboard.press(key)
    const untilAt = (seconds: number) =>
      waitFor(`second ${seconds}`, async () => (await videoOf(page)).currentTime === seconds)
    await press('5')
    await untilAt(SECONDS / 2)
    await press('l')
    await untilAt(SECONDS / 2 + 10)
    await press('j')
    await press('ArrowLeft')
    await untilAt(SECONDS / 2 - 5)
    await press('ArrowRight')
    await press('Home')
    await untilAt(0)
    await press('m')
    expect((await videoOf(page)).muted).toBe(true)
    await press('m')
    await press('ArrowDown')
    expect(await videoOf(page)).toMatchObject({ muted: false, volume: 0.95 })
    await press('>')
    await page.waitForFunction(() => document.querySelector('video')?.playbackRate === 1.25)
    await press('<')
    await page.waitForFunction(() => document.querySelector('video')?.playbackRate === 1)
    await press('k')
    await untilPlays(page)
    await press(' ')
    await waitFor('a pause', () => isPaused(page))
    await press('f')
    await page.waitForFunction(() => document.fullscreenElement?.id === 'player')
    await press('f')
    await page.waitForFunction(() => document.fullscreenElement === null)
    await press('?')
    await page.waitForSelector('dialog#help:popover-open')
    await press('?')
    await page.waitForSelector('dialog#help:not(:popover-open)', { state: 'attached' })
    await leave(page)
  }, 60_000)

  it('announce their effect to screen readers; with a modifier, they are left to the browser', async () => {
    const page = await openEmbed(fixture, videoId, { query: 'lang=de' })
    await untilReady(page)
    await page.keyboard.press('Control+m')
    expect(await page.evaluate(() => document.querySelector('video')?.muted)).toBe(false)
    await page.keyboard.press('ArrowDown')
    await page.waitForFunction(
      () => document.querySelector('#live')?.textContent === 'Lautstärke 95 %',
    )
    await leave(page)
  }, 60_000)
})

describe('a video whose buffer is empty', () => {
  it('shows the loading icon, shows a message after five seconds, and continues by itself', async () => {
    const viewport = { width: 320, height: 180 }
    const page = await openBlank(fixture, { viewport })
    await hastenHeartbeats(page)
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    // The first segments are served immediately, the others later.
    await page.route(/\/[2-9]\.m4s$|\/\d\d\.m4s$/, async (route) => {
      await released
      await route.continue().catch(() => undefined)
    })
    await visitEmbed(fixture, page, videoId, { query: 'lang=de' })
    await play(page)
    const icon = () =>
      page.evaluate(() => {
        const shown = document.querySelector('media-loading-indicator')
        const svg = shown?.shadowRoot?.querySelector('svg')
        return shown?.checkVisibility({ visibilityProperty: true }) === true && svg
          ? Number(getComputedStyle(svg).opacity)
          : 0
      })
    expect(await icon()).toBe(0)
    await page.waitForFunction(() => document.querySelector('video')?.playbackRate === 0)
    expect(await page.evaluate(() => document.querySelector('video')?.readyState)).toBe(4)
    await page.waitForSelector('html[data-buffering]', { state: 'attached' })
    await page.waitForSelector('#waiting:has-text("Warten auf die Verbindung")')
    await page.waitForSelector('#live:has-text("Warten auf die Verbindung …")', {
      state: 'attached',
    })
    await waitFor('the icon', async () => (await icon()) === 1)
    release()
    await untilPlays(page)
    await waitFor('no icon', async () => (await icon()) === 0)
    await page.waitForFunction(() => document.querySelector('#waiting')?.textContent === '')
    await leave(page)
  }, 90_000)
})

describe('the settings', () => {
  it('load when the viewer first uses the page, and lose no press that comes before', async () => {
    const page = await openBlank(fixture, { viewport: MEDIUM })
    const MENUS = /\/assets\/menus-\w+\.js$/
    const scripts = (): Promise<string[]> =>
      page.evaluate(() =>
        performance
          .getEntriesByType('resource')
          .map(({ name }) => name)
          .filter((name) => name.endsWith('.js')),
      )
    await visitEmbed(fixture, page, videoId, { query: 'autoplay=1&muted=1' })
    await untilPlays(page)
    await untilReady(page)
    // The last that loads by itself.
    await page.waitForSelector('media-captions-button[mediasubtitleslist]', { state: 'attached' })
    expect(await scripts()).toHaveLength(6)
    expect((await scripts()).some((url) => MENUS.test(url))).toBe(false)
    await page.mouse.move(320, 100)
    await waitFor('the menus', async () => (await scripts()).some((url) => MENUS.test(url)))

    const button = page.locator('media-settings-menu-button')
    const presses = [
      () => button.click(),
      async () => {
        await button.focus()
        await page.keyboard.press('Enter')
      },
    ]
    for (const press of presses) {
      const { promise: released, resolve: release } = Promise.withResolvers<void>()
      await page.route(MENUS, async (route) => {
        await released
        await route.continue()
      })
      await visitEmbed(fixture, page, videoId)
      await untilReady(page)
      await press()
      expect(await page.locator('media-settings-menu').isVisible()).toBe(false)
      release()
      await page.waitForSelector('media-settings-menu:not([hidden])')
      await page.waitForFunction(
        () => document.activeElement?.closest('media-settings-menu') !== null,
      )
      await page.unrouteAll()
    }
    await page.keyboard.press('Escape')
    await page.waitForSelector('media-settings-menu[hidden]', { state: 'attached' })
    expect(await page.evaluate(() => document.activeElement?.localName)).toBe(
      'media-settings-menu-button',
    )
    await leave(page)
  }, 60_000)

  itOfAll(
    'keep a quality that automatic quality has disabled, and the viewer can choose it',
    async () => {
      const page = await openBlank(fixture, { viewport: { width: 640, height: 360 } })
      // Simulates a device that is too slow for the quality that it plays.
      await page.addInitScript(() => {
        const all = { droppedVideoFrames: 0, totalVideoFrames: 0 }
        HTMLVideoElement.prototype.getVideoPlaybackQuality = function () {
          if ('isSlow' in window) all.droppedVideoFrames += 100
          all.totalVideoFrames += 100
          return all as VideoPlaybackQuality
        }
      })
      await visitEmbed(fixture, page, videoId)
      await play(page)
      await untilMenus(page)
      const untilAuto = (rung: string) =>
        page.waitForSelector(`#quality-menu media-chrome-menu-item:has-text("Auto (${rung})")`, {
          state: 'attached',
        })
      await untilAuto('360p')
      const item = await page.waitForSelector('#quality-menu media-chrome-menu-item', {
        state: 'attached',
      })
      await page.evaluate(() => Object.assign(window, { isSlow: true }))
      await untilAuto('240p')
      expect(await qualities(page)).toEqual(['Auto (240p)', 'Data saver', '360p', '240p'])
      await page.waitForSelector('#quality-menu .note:has-text("Better ones had trouble")', {
        state: 'attached',
      })
      await untilSetting(page, 'quality', 'Auto (240p)')
      // An open menu stays open: its items are not replaced.
      expect(await item.evaluate((element) => element.isConnected)).toBe(true)
      const fetched = page.waitForRequest(/\/360p\/\d+\.m4s$/)
      await choose(page, 'quality', '360p')
      await fetched
      await page.context().close()
    },
    60_000,
  )

  it('name the captions that are shown, from the start and after every change', async () => {
    const subtitles = { ...DEFAULT_PLAYER_SETTINGS.subtitles, enabled_by_default: true }
    await fixture.configure({ subtitles: { ...subtitles, default_language: 'de' } })
    const page = await openEmbed(fixture, videoId, { query: 'lang=en' })
    await untilReady(page)
    await untilMenus(page)
    await page.waitForSelector('#captions-menu media-chrome-menu-item', { state: 'attached' })
    await untilSetting(page, 'captions', 'de')
    await page.keyboard.press('c')
    await untilSetting(page, 'captions', 'Off')
    await choose(page, 'captions', 'en')
    await untilSetting(page, 'captions', 'en')
    await leave(page)
    await fixture.configure({})
  }, 60_000)

  it.each(someOf([{ width: 320, height: 180 }, MEDIUM, { width: 1920, height: 1080 }], 3))(
    'stand above the seek bar inside a frame of $width × $height, with reasons below the qualities',
    async (viewport) => {
      const page = await openEmbed(fixture, videoId, { viewport })
      await play(page)
      await page.mouse.move(160, 60)
      await page.click('media-settings-menu-button')
      await page.click('media-settings-menu-item:has(#quality-menu)')
      const note = page.locator('#quality-menu .note').last()
      const text = page.locator('#quality-menu .lines:has(.note) > span').last()
      // The menu moves up as it opens.
      await waitFor('the menu', async () => {
        const rail = await page.locator('.rail').boundingBox()
        const menu = await page.locator('media-settings-menu').boundingBox()
        const [above, below] = [await text.boundingBox(), await note.boundingBox()]
        if (!rail || !menu || !above || !below || menu.y < 0) return false
        const isAboveRail = menu.y + menu.height <= rail.y + rail.height / 2 - 4
        return isAboveRail && below.x === above.x && below.y >= above.y + above.height - 2
      })
      await leave(page)
    },
    60_000,
  )

  itOfAll(
    'are a sheet from below for a finger',
    async () => {
      const viewport = { width: 360, height: 640 }
      const page = await openEmbed(fixture, videoId, { viewport, hasTouch: true, isMobile: true })
      await play(page)
      await page.keyboard.press('k')
      const tap = (selector: string) => page.locator(selector).last().tap()
      await tap('.bar > media-settings-menu-button')
      await waitFor('the sheet', async () => {
        const box = await page.locator('media-settings-menu').boundingBox()
        return box?.x === 0 && box.width === 360 && Math.abs(box.y + box.height - 640) < 1
      })
      await tap('media-settings-menu-item:has(#quality-menu)')
      await tap('#quality-menu media-chrome-menu-item:has-text("240p")')
      await untilSetting(page, 'quality', '240p')
      await leave(page)
    },
    60_000,
  )

  itOfAll(
    'point in the reading direction of the language, with the values at its end',
    async () => {
      const page = await openBlank(fixture)
      for (const [lang, isTurned] of [
        ['en', false],
        ['ar', true],
      ] as const) {
        await visitEmbed(fixture, page, videoId, { query: `lang=${lang}` })
        await untilReady(page)
        await untilMenus(page)
        const turned = await page.evaluate(() =>
          [...document.querySelectorAll('media-settings-menu-item, [slot="submenu"]')].flatMap(
            ({ shadowRoot }) =>
              [
                ...(shadowRoot?.querySelectorAll(
                  '[name="suffix"] > svg, [name="back-icon"] > svg',
                ) ?? []),
              ].map((icon) => getComputedStyle(icon).scale === '-1 1'),
          ),
        )
        expect(turned.length).toBeGreaterThan(8)
        expect(new Set(turned)).toEqual(new Set([isTurned]))
        await page.click('media-settings-menu-button')
        const isAtStart = await page.evaluate(() => {
          const item = document.querySelector('media-settings-menu-item:has(#quality-menu)')
          const value = item?.shadowRoot?.querySelector('[name="description"] > span')
          const name = item?.querySelector('[data-word]')
          const leftOf = (one: Element | null | undefined) =>
            one?.getBoundingClientRect().left ?? NaN
          return leftOf(value) < leftOf(name)
        })
        expect(isAtStart).toBe(isTurned)
      }
      await leave(page)
    },
    60_000,
  )
})

describe('a vertical video', () => {
  it('gets higher rungs in a taller frame, as other videos do in a wider one', async () => {
    const page = await openBlank(fixture, { viewport: { width: 360, height: 640 } })
    const rungs = new Set<string>()
    page.on('request', (request) => {
      const [, rung] = /\/(\d+p)\/\d+\.m4s$/.exec(request.url()) ?? []
      if (rung !== undefined) rungs.add(rung)
    })
    await visitEmbed(fixture, page, fixture.tallId, { query: 'autoplay=1&muted=1' })
    await untilPlays(page)
    await page.waitForFunction(() => document.querySelector('video')?.videoWidth === 360)
    // The height limits the first segment too: nothing larger than the frame is fetched.
    expect(rungs).not.toContain('480p')
    const fetched = page.waitForRequest(/\/480p\/\d+\.m4s$/)
    await page.setViewportSize({ width: 480, height: 854 })
    await fetched
    await page.context().close()
  }, 60_000)
})
