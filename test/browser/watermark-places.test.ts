import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromium } from 'playwright-core'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { itOfAll } from '../infrastructure/every-case.ts'
import { chromiumPath } from '../infrastructure/services.ts'
import { check, markPixels } from './mark-pixels.ts'
import { openEmbeddedPlayerFixture, PREPARED_WITHIN_MS } from './embedded-player.ts'
import type { EmbeddedPlayerFixture } from './embedded-player.ts'
import { leave } from './idle-pages.ts'
import { openEmbed, shownError, untilReady } from './viewer.ts'

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
async function expectIn(page: Page, width: number, height: number): Promise<void> {
  const frame = page.viewportSize() ?? { width: 0, height: 0 }
  await check(page)
  const at = await markPixels(page)
  const [left, top] = [(frame.width - width) / 2, (frame.height - height) / 2]
  expect(at.count).toBeGreaterThan(LEAST_PIXELS)
  expect(at.left).toBeGreaterThanOrEqual(Math.floor(left))
  expect(at.right).toBeLessThanOrEqual(Math.ceil(left + width))
  expect(at.top).toBeGreaterThanOrEqual(Math.floor(top))
  expect(at.bottom).toBeLessThanOrEqual(Math.ceil(top + height))
  expect(await shownError(page)).toBeNull()
  await leave(page)
}

describe('the place of the watermark', () => {
  it('is in the picture, not in its bars, also after the frame has turned', async () => {
    const bars = { viewport: { width: 640, height: 360 } }
    await expectIn(await open(fixture.tallId, 'portrait', bars), 202.5, 360)
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

/** Changes that extensions for dark mode, translation, fonts and dimming make to a page. */
const ENVIRONMENTS: [name: string, options: BrowserContextOptions, change: () => void][] = [
  ['forced colours and more contrast', { forcedColors: 'active', contrast: 'more' }, () => {}],
  [
    'a dark mode that sets colours, large fonts of a reader, a translation',
    { colorScheme: 'dark' },
    () => {
      const style = document.createElement('style')
      style.textContent = `* { color: #e8e6e3 !important; background-color: #181a1b !important;
        background-image: none !important; border-color: #736b5e !important; transition: none !important;
        font: 400 48px/2 "Comic Sans MS", cursive !important; letter-spacing: 0.3em !important;
        text-shadow: none !important; -webkit-text-fill-color: #ff0 !important; min-font-size: 40px }`
      document.head.append(style)
      const sheet = new CSSStyleSheet()
      sheet.replaceSync('*, ::before, ::after { color: #fff !important; opacity: 1 !important }')
      document.adoptedStyleSheets = [sheet]
      document.documentElement.className = 'translated-rtl'
      document.documentElement.dir = 'rtl'
      for (const element of document.querySelectorAll<HTMLElement>('body *')) {
        element.dataset.darkreaderInlineColor = ''
        element.style.setProperty('--darkreader-inline-color', '#e8e6e3')
        for (const text of element.childNodes) {
          if (text.nodeType !== Node.TEXT_NODE || !text.textContent?.trim()) continue
          const font = document.createElement('font')
          font.style.verticalAlign = 'inherit'
          text.replaceWith(font)
          font.append(text)
        }
      }
    },
  ],
  [
    'a dark mode by SVG filters, a dimming overlay, buttons of an extension over the picture',
    { colorScheme: 'dark' },
    () => {
      document.body.insertAdjacentHTML(
        'beforeend',
        `<svg width="0" height="0"><filter id="dark-reader-filter"><feColorMatrix
        values="0.3 -0.6 -0.6 0 1 -0.6 0.3 -0.6 0 1 -0.6 -0.6 0.3 0 1 0 0 0 1 0"/></filter></svg>
        <div style="position: fixed; inset: 0; z-index: 2147483647; pointer-events: none">
        <button style="position: absolute; left: 40%; top: 40%; pointer-events: auto">2x</button></div>
        <div style="position: fixed; inset: 0; z-index: 2147483646; pointer-events: none;
        background: #f80; mix-blend-mode: multiply"></div>`,
      )
      const style = document.createElement('style')
      style.textContent = `html { filter: url(#dark-reader-filter) !important }
        img, video, canvas { filter: url(#dark-reader-filter) hue-rotate(10deg) !important }`
      document.head.append(style)
    },
  ],
  [
    'zoom by the browser and by an extension, a mirrored video',
    { deviceScaleFactor: 1.25, viewport: { width: 500, height: 290 } },
    () => {
      document.documentElement.style.setProperty('zoom', '1.3')
      document.querySelector('video')?.style.setProperty('transform', 'scaleX(-1)')
    },
  ],
]

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

  it('causes no incident if the frame is scrolled away, hidden, or behind a dialog of the site', async () => {
    const src = fixture.embedUrl(fixture.wideId, fixture.vt('elsewhere'))
    fixture.servePage(
      '/scrolled',
      `${fixture.iframe(src)}<div style="height: 400vh"></div><dialog>Cookies?</dialog>`,
    )
    const page = await (await fixture.browser.newContext()).newPage()
    await page.goto(fixture.siteUrl('site.localhost', '/scrolled'))
    const frame = page.frames()[1]
    await frame?.waitForSelector('html[data-controls][data-state="ready"]', { state: 'attached' })
    if (!frame) throw new Error('the page has no frame')
    const host = await frame.evaluateHandle(
      () => document.querySelector('#player')?.lastElementChild,
    )
    await page.evaluate(() => document.querySelector('dialog')?.showModal())
    await check(frame)
    await page.evaluate(() => document.querySelector('dialog')?.close())
    const hidden = await page.addStyleTag({ content: 'iframe { visibility: hidden }' })
    await check(frame)
    await hidden.evaluate((style) => (style as HTMLStyleElement).remove())
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    await check(frame)
    // A repair would have replaced it.
    expect(await host.evaluate((element) => element?.isConnected)).toBe(true)
    expect(await incidents()).toEqual([])
    await page.context().close()
  }, 120_000)
})
