import { chromium, type BrowserContextOptions, type Frame, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HAS_EVERY_CASE, itOfAll } from '../infrastructure/every-case.ts'
import { chromiumPath } from '../infrastructure/services.ts'
import {
  openEmbeddedPlayerFixture,
  PREPARED_WITHIN_MS,
  type EmbeddedPlayerFixture,
} from './embedded-player.ts'
import { leave } from './idle-pages.ts'
import { check, hastenMark, markPixels, untilMoved } from './mark-pixels.ts'
import { openBlank, openEmbed, shownError, untilReady, visitEmbed } from './viewer.ts'
import { ENVIRONMENTS, FRAME_STYLES, PLAYER_USES } from './watermark-environments.ts'

let fixture: EmbeddedPlayerFixture

beforeAll(async () => {
  fixture = await openEmbeddedPlayerFixture()
  const watermark = { enabled: true, required: true, opacity: 0.4, size: 'medium' } as const
  await fixture.configure({ watermark })
}, PREPARED_WITHIN_MS)

afterAll(() => fixture?.close())

const LEAST_PIXELS = 200

const open = async (
  id: string,
  viewer: string,
  options: BrowserContextOptions,
  browser = fixture.browser,
): Promise<Page> => {
  const vt = fixture.vt(viewer)
  const page = await openEmbed({ ...fixture, browser }, id, {
    vt,
    reducedMotion: 'reduce',
    // In smaller pages, the watermark has fewer pixels.
    viewport: { width: 1280, height: 720 },
    ...options,
  })
  await untilReady(page)
  await page.waitForFunction(() => (document.querySelector('video')?.videoWidth ?? 0) > 0)
  return page
}

const incidents = async (): Promise<unknown[]> =>
  fixture.db.em
    .fork()
    .execute(
      `select viewer_id, details from security_event where event_type = 'watermark_tampered'`,
    )

/** Expects the watermark, in two of its places, between the edges of a picture in the middle. */
async function expectIn(page: Page, width: number, height: number, barsPx = 0): Promise<void> {
  const frame = page.viewportSize() ?? { width: 0, height: 0 }
  await check(page)
  const at = await markPixels(page)
  const [left, top] = [(frame.width - width) / 2, (frame.height - height) / 2]
  expect(at.count).toBeGreaterThan(LEAST_PIXELS)
  expect(at.left).toBeGreaterThanOrEqual(Math.floor(left))
  expect(at.right).toBeLessThanOrEqual(Math.ceil(left + width))
  expect(at.top).toBeGreaterThanOrEqual(Math.floor(top))
  expect(at.bottom).toBeLessThanOrEqual(Math.ceil(top + height) - barsPx)
  expect(await shownError(page)).toBeNull()
  await leave(page)
}

/** Collects what the observers and queries of a page can see of the watermark, while it moves. */
function watchForPlaces(): void {
  const seen: string[] = []
  Object.assign(window, { seenOfMark: seen })
  const host = document.querySelector('#player > [popover]')
  if (!host) throw new Error('the page has no watermark')
  for (const type of ['layout-shift', 'largest-contentful-paint'])
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.push(JSON.stringify(entry))
    }).observe({ type })
  // Squares over the whole frame: an observer of their visibility reports those that something covers.
  const options = { trackVisibility: true, delay: 100, threshold: [0, 0.5, 1] }
  const covered = new IntersectionObserver((entries) => {
    for (const { target, isVisible } of entries as (IntersectionObserverEntry & {
      isVisible: boolean
    })[])
      if (isVisible) seen.push(`${target.id} is not covered`)
  }, options)
  for (let at = 0; at < 400; at++) {
    const square = document.createElement('i')
    square.id = `square ${at}`
    square.style.cssText = `position: fixed; z-index: 9; left: ${(at % 20) * 5}%;
      top: ${Math.floor(at / 20) * 5}%; width: 4px; height: 4px; background: #fff`
    document.body.append(square)
    covered.observe(square)
  }
  setInterval(() => {
    for (const { effect } of document.getAnimations())
      if (effect instanceof KeyframeEffect && !document.contains(effect.target))
        seen.push('an animation')
    if (host.getAnimations({ subtree: true }).length > 0) seen.push('an animation of the host')
    for (let at = 0; at < 20; at++) {
      const found = document.elementsFromPoint(at * 30, at * 17)
      if (found.includes(host)) seen.push('hit the host')
    }
  }, 50)
}

describe('the place of the watermark', () => {
  it('is seen by no observer and no query of the page while it moves', async () => {
    const page = await openBlank(fixture)
    await hastenMark(page)
    await visitEmbed(fixture, page, fixture.wideId, { vt: fixture.vt('observed') })
    await untilReady(page)
    await check(page)
    // By then the page has painted all that it paints by itself.
    await untilMoved(page)
    await page.evaluate(watchForPlaces)
    await untilMoved(page)
    await untilMoved(page)
    expect(await page.evaluate(() => Reflect.get(window, 'seenOfMark') as string[])).toEqual([])
    await page.context().close()
  }, 60_000)

  it('is in the picture, not in its bars and above those of the controls, also after the frame has turned', async () => {
    const bars = { viewport: { width: 640, height: 360 } }
    await expectIn(await open(fixture.tallId, 'portrait', bars), 202.5, 360, 74)
    const turned = await open(fixture.tallId, 'turned', bars)
    await turned.setViewportSize({ width: 300, height: 640 })
    await expectIn(turned, 300, 533.4)
    const square = { viewport: { width: 600, height: 600 } }
    await expectIn(await open(fixture.wideId, 'landscape', square), 600, 337.5)
    const padded = await open(fixture.wideId, 'padded', square)
    await padded.addStyleTag({ content: 'video { object-fit: cover !important }' })
    await check(padded)
    await padded.addStyleTag({
      content: 'video { object-fit: contain !important; padding: 0 150px !important }',
    })
    await expectIn(padded, 300, 168.75)
    expect(await incidents()).toEqual([])
  }, 120_000)
})

/** Lets the page lay out, and the guard look at it. */
async function settle(page: Page, frame: Frame): Promise<void> {
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
  await check(frame)
}

const shownErrorIn = (frame: Frame): Promise<string | null> =>
  frame.evaluate(() => document.documentElement.dataset.error ?? null)

async function expectPeace(page: Page, change: () => void): Promise<void> {
  await page.evaluate(change)
  await check(page)
  expect((await markPixels(page)).count).toBeGreaterThan(LEAST_PIXELS)
  await check(page)
  expect(await shownError(page)).toBeNull()
  await leave(page)
}

describe('a viewer', () => {
  itOfAll(
    'causes no incident with the settings and extensions that help people see',
    async () => {
      const check = async (options: BrowserContextOptions, change: () => void, at: number) =>
        expectPeace(await open(fixture.wideId, `viewer ${at}`, options), change)
      await Promise.all(ENVIRONMENTS.map(([, options, change], at) => check(options, change, at)))
      expect(await incidents()).toEqual([])
    },
    240_000,
  )

  itOfAll(
    'causes no incident if the browser itself darkens pages and enlarges text',
    async () => {
      const browser = await chromium.launch({
        executablePath: await chromiumPath(),
        args: [
          '--no-sandbox',
          '--disable-gpu',
          '--force-dark-mode',
          '--enable-features=WebContentsForceDark',
          '--blink-settings=minimumFontSize=40,minimumLogicalFontSize=40,forceDarkModeEnabled=true',
        ],
      })
      try {
        const page = await open(fixture.wideId, 'darkened', {}, browser)
        await expectPeace(page, () => {})
        expect(await incidents()).toEqual([])
      } finally {
        await browser.close()
      }
    },
    120_000,
  )

  it('causes no repair and no incident in all that a page does with its frame', async () => {
    const src = fixture.embedUrl(fixture.wideId, fixture.vt('elsewhere'))
    fixture.servePage(
      '/innocent',
      `${fixture.iframe(src)}<div style="height: 400vh"></div><dialog>Cookies?</dialog>`,
    )
    const page = await (await fixture.browser.newContext()).newPage()
    await page.goto(fixture.siteUrl('site.localhost', '/innocent'))
    const frame = page.frames()[1]
    await frame?.waitForSelector('html[data-controls][data-state="ready"]', { state: 'attached' })
    if (!frame) throw new Error('the page has no frame')
    const host = await frame.evaluateHandle(
      () => document.querySelector('#player')?.lastElementChild,
    )
    const style = async (text: string): Promise<void> => {
      await page.evaluate((given) => {
        document.querySelector('iframe')?.setAttribute('style', given)
      }, text)
      await settle(page, frame)
    }
    const usual = await page.evaluate(() => document.querySelector('iframe')?.style.cssText ?? '')
    for (const changed of FRAME_STYLES) {
      for (let times = 0; times < (HAS_EVERY_CASE ? 2 : 1); times++) {
        await style(`${usual}; ${changed}`)
        await style(usual)
      }
      // A repair would have replaced it.
      const isSame = await host.evaluate((element) => element?.isConnected)
      expect([changed, isSame]).toEqual([changed, true])
    }
    await page.evaluate(() => document.querySelector('dialog')?.showModal())
    await settle(page, frame)
    await page.evaluate(() => document.querySelector('dialog')?.close())
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    await settle(page, frame)
    for (const change of PLAYER_USES) {
      await change(frame)
      await check(frame)
    }
    expect(await host.evaluate((element) => element?.isConnected)).toBe(true)
    expect(await shownErrorIn(frame)).toBeNull()
    expect(await incidents()).toEqual([])
    await page.context().close()
  }, 120_000)

  it('sees it as a share of the picture, also if the page scales a large frame down', async () => {
    const src = fixture.embedUrl(fixture.wideId, fixture.vt('scaled'))
    const times = HAS_EVERY_CASE ? 10 : 5
    const scaled = fixture
      .iframe(src)
      .replace('style="', `style="transform: scale(${1 / times}); transform-origin: 0 0; `)
    const size = `width: ${960 * times}px !important; height: ${540 * times}px !important`
    const sized = `<style>iframe { ${size} }</style>`
    fixture.servePage('/scaled', `<body style="margin: 0">${sized}${scaled}`)
    const context = await fixture.browser.newContext({
      reducedMotion: 'reduce',
      viewport: { width: 960, height: 540 },
    })
    const page = await context.newPage()
    await hastenMark(page)
    await page.goto(fixture.siteUrl('site.localhost', '/scaled'))
    const frame = page.frames()[1]
    await frame?.waitForSelector('html[data-controls][data-state="ready"]', { state: 'attached' })
    if (!frame) throw new Error('the page has no frame')
    await check(frame)
    const { top, bottom, count } = await markPixels(page, () => untilMoved(frame))
    expect(count).toBeGreaterThan(LEAST_PIXELS)
    // Two places of the text, each with 3.8 % of the height for a letter.
    expect(bottom - top).toBeGreaterThan(0.038 * 540 * 0.7)
    expect(await shownErrorIn(frame)).toBeNull()
    await context.close()
  }, 120_000)
})
