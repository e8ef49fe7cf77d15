import type { Frame, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  openEmbeddedPlayerFixture,
  PREPARED_WITHIN_MS,
  type EmbeddedPlayerFixture,
} from './embedded-player.ts'
import { SMALL } from './idle-pages.ts'
import { IN_A_STEP, withControls } from './viewer.ts'

let fixture: EmbeddedPlayerFixture
let videoId: string

beforeAll(async () => {
  fixture = await openEmbeddedPlayerFixture()
  videoId = fixture.wideId
}, PREPARED_WITHIN_MS)

afterAll(() => fixture?.close())

/** Opens a page of a site that frames the embed; resolves to the frame. */
async function frameOf(
  host: string,
  change: (iframe: string) => string = (iframe) => iframe,
  headers: Record<string, string> = {},
): Promise<{ page: Page; frame: Frame }> {
  const context = await fixture.browser.newContext({ viewport: SMALL })
  const page = await context.newPage()
  fixture.servePage(
    '/',
    change(fixture.iframe(`${fixture.embedUrl(videoId)}?autoplay=1&muted=1`)),
    headers,
  )
  await page.goto(fixture.siteUrl(host))
  const frame = page.frames()[1]
  if (!frame) throw new Error('the page has no frame')
  await frame.waitForLoadState()
  return { page, frame }
}

async function expectPlaying(frame: Frame): Promise<void> {
  await frame.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0.3)
}

const close = (page: Page): Promise<void> => page.context().close()

describe('an iframe on another site', () => {
  it('plays on any site without allowed or blocked domains', async () => {
    const { page, frame } = await frameOf('site.localhost')
    await expectPlaying(frame)
    await close(page)
  }, 60_000)

  it('plays on the subdomains of a wildcard, and not on its bare domain', async () => {
    await fixture.configure({ allowed_domains: ['*.site.localhost'] })
    const deep = await frameOf('a.b.site.localhost')
    await expectPlaying(deep.frame)
    await close(deep.page)
    const bare = await frameOf('site.localhost')
    expect(await bare.frame.textContent('body')).toContain('site.localhost')
    expect(await bare.frame.locator('media-controller').count()).toBe(0)
    await close(bare.page)
    await fixture.configure({})
  }, 60_000)

  it('is refused on a blocked site, with the reason', async () => {
    await fixture.configure({ blocked_domains: ['bad.localhost'] })
    const { page, frame } = await frameOf('bad.localhost')
    expect(await frame.locator('h1').isVisible()).toBe(true)
    expect(await frame.locator('media-controller').count()).toBe(0)
    await close(page)
    await fixture.configure({})
  }, 60_000)

  it.each(['require-corp', 'credentialless'])(
    'plays in a page with Cross-Origin-Embedder-Policy: %s',
    async (policy) => {
      const headers = { 'Cross-Origin-Embedder-Policy': policy }
      const { page, frame } = await frameOf('site.localhost', (iframe) => iframe, headers)
      await expectPlaying(frame)
      await close(page)
    },
    60_000,
  )

  /** Opens a page whose script puts the iframe into a frame of its own. */
  async function frameInside(script: string): Promise<{ page: Page; frame: Frame }> {
    const { page } = await frameOf('site.localhost', (iframe) => {
      const html = JSON.stringify(iframe).replaceAll('<', '\\u003c')
      return `<iframe allow="autoplay; encrypted-media"></iframe><script>
        const html = ${html}, outer = document.querySelector('iframe'); ${script}</script>`
    })
    await expect.poll(() => page.frames().length).toBe(3)
    const frame = page.frames()[2]
    if (!frame) throw new Error('the frame has no frame')
    return { page, frame }
  }

  it('plays inside the HTML of a srcdoc, and has no Referer in a frame that a script has written', async () => {
    const document = await frameInside('outer.srcdoc = html')
    await expectPlaying(document.frame)
    await close(document.page)
    const written = await frameInside('outer.contentDocument.body.innerHTML = html')
    await written.frame.waitForLoadState()
    expect(await written.frame.textContent('body')).toContain('referrerpolicy=')
    await close(written.page)
  }, 60_000)

  it.each<[string, (iframe: string) => string, Record<string, string>]>([
    [
      'by its own attribute',
      (iframe) => iframe.replace('strict-origin-when-cross-origin', 'no-referrer'),
      {},
    ],
    [
      'by a header of its page',
      (iframe) => iframe.replace(/referrerpolicy="[^"]*"/, ''),
      { 'Referrer-Policy': 'no-referrer' },
    ],
  ])(
    'whose Referer is removed %s shows the attribute to set',
    async (_by, change, headers) => {
      const { page, frame } = await frameOf('site.localhost', change, headers)
      expect(await frame.textContent('body')).toContain(
        'referrerpolicy="strict-origin-when-cross-origin"',
      )
      await close(page)
    },
    60_000,
  )
})

describe('an iframe that permits neither full screen nor picture in picture', () => {
  const forbid = (iframe: string): string =>
    iframe
      .replace(/allow="[^"]*"/, `allow="autoplay; encrypted-media; picture-in-picture 'none'"`)
      .replace('allowfullscreen', '')

  it('has no button for them, and keys and a double click say so', async () => {
    const { page, frame } = await frameOf('site.localhost', forbid)
    await expectPlaying(frame)
    await frame.waitForSelector('html[data-controls]', { state: 'attached' })
    await frame.hover('video')
    const says = (text: string) => frame.waitForSelector(`#bubble:has-text("${text}")`)
    await frame.dblclick('video', { position: { x: 320, y: 60 } })
    await says('Full screen is not available here')
    await page.keyboard.press('i')
    await says('Picture in picture is not available here')
    await page.keyboard.press('f')
    await says('Full screen is not available here')
    expect(await frame.locator('.bar > media-settings-menu-button').isVisible()).toBe(true)
    for (const button of ['fullscreen', 'pip'])
      expect(await frame.locator(`.bar > media-${button}-button`).isVisible()).toBe(false)
    await frame.click('video', { button: 'right', position: { x: 320, y: 60 } })
    await frame.waitForSelector('.context-menu')
    expect(await frame.locator('.context-menu').textContent()).not.toContain('Picture in picture')
    await close(page)
  }, 60_000)

  it('fills the frame if embed.js is in its page', async () => {
    const element = `<script src="${fixture.embedBase}/embed.js"></script>
      <reelgate-video src="${fixture.embedUrl(videoId)}" autoplay muted loading="eager"></reelgate-video>`
    const { page, frame } = await frameOf('site.localhost', () => `<!doctype html>${element}`, {
      'Permissions-Policy': 'fullscreen=()',
    })
    await expectPlaying(frame)
    await withControls(page, 'the button for full screen', () =>
      frame.click('media-fullscreen-button', IN_A_STEP),
    )
    await frame.waitForSelector('html.full-window', { state: 'attached' })
    await close(page)
  }, 60_000)
})

describe('a mistake in the iframe is recognised in the page, with the exact fix', () => {
  it.each<[string, string, (iframe: string) => string, string]>([
    [
      'no allow for encrypted-media',
      'no_encrypted_media',
      (iframe) => iframe.replace(/allow="[^"]*"/, 'allow="autoplay; fullscreen"'),
      'allow="autoplay; fullscreen; encrypted-media; picture-in-picture"',
    ],
    [
      'no allow at all',
      'no_encrypted_media',
      (iframe) => iframe.replace(/allow="[^"]*"/, ''),
      'encrypted-media',
    ],
    [
      'a sandbox',
      'sandboxed',
      (iframe) => iframe.replace('<iframe', '<iframe sandbox="allow-scripts"'),
      'sandbox',
    ],
  ])(
    '%s',
    async (_name, code, change, fix) => {
      const { page, frame } = await frameOf('site.localhost', change)
      await frame.waitForSelector(`html[data-error="${code}"]`, { state: 'attached' })
      await frame.click('#message summary')
      expect(await frame.innerText('#message details')).toContain(fix)
      await close(page)
    },
    60_000,
  )

  it('a sandbox that forbids even scripts', async () => {
    const { page, frame } = await frameOf('site.localhost', (iframe) =>
      iframe.replace('<iframe', '<iframe sandbox'),
    )
    expect(await frame.innerText('.noscript')).toContain('sandbox')
    await close(page)
  }, 60_000)

  it('a page that is not secure', async () => {
    const { page, frame } = await frameOf('insecure.example')
    await frame.waitForSelector('html[data-error="insecure"]', { state: 'attached' })
    await frame.click('#message summary')
    expect(await frame.innerText('#message details')).toContain('https')
    await close(page)
  }, 60_000)

  it('without access to storage the video plays, and its position is not kept', async () => {
    const { page } = await frameOf('site.localhost')
    await page.context().addInitScript(() => {
      Object.defineProperty(window, 'localStorage', {
        get() {
          throw new DOMException('refused', 'SecurityError')
        },
      })
    })
    await page.reload()
    const frame = page.frames()[1]
    if (frame) await expectPlaying(frame)
    expect(frame).toBeDefined()
    await close(page)
  }, 60_000)
})
