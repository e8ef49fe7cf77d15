import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  openEmbeddedPlayerFixture,
  PREPARED_WITHIN_MS,
  type EmbeddedPlayerFixture,
} from './embedded-player.ts'
import { openBlank, openEmbed, play, untilPlays, visitEmbed } from './viewer.ts'

interface Agent {
  userAgent: string
  vendor: string
}

const SAFARI: Agent = {
  userAgent:
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
  vendor: 'Apple Computer, Inc.',
}
const CHROME: Agent = {
  userAgent:
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
  vendor: 'Google Inc.',
}

let fixture: EmbeddedPlayerFixture
let videoId: string

beforeAll(async () => {
  fixture = await openEmbeddedPlayerFixture()
  videoId = fixture.wideId
}, PREPARED_WITHIN_MS)

afterAll(() => fixture?.close())

/** Plays as this browser; resolves to how often WebCrypto decrypted and EME was given keys. */
async function decryptedBy({
  userAgent,
  vendor,
}: Agent): Promise<{ webCrypto: number; eme: number }> {
  const page = await openEmbed(fixture, videoId, { userAgent })
  await prepare(page, vendor)
  await page.reload()
  await play(page)
  await page.keyboard.press('5')
  await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 30.3)
  const counts = await page.evaluate(
    () => (window as unknown as { calls: { webCrypto: number; eme: number } }).calls,
  )
  await page.context().close()
  return counts
}

/** Counts decryptions, and sets the vendor of the browser, which Shaka Player reads. */
const prepare = (page: Page, vendor: string): Promise<unknown> =>
  page.addInitScript((name) => {
    Object.defineProperty(Navigator.prototype, 'vendor', { get: () => name })
    const calls = { webCrypto: 0, eme: 0 }
    Object.assign(window, { calls })
    const count = (owner: object, method: string, what: keyof typeof calls): void => {
      const real = Reflect.get(owner, method) as (...args: unknown[]) => unknown
      Object.assign(owner, {
        [method](...args: unknown[]) {
          calls[what] += 1
          return Reflect.apply(real, this, args)
        },
      })
    }
    for (const method of ['decrypt', 'encrypt']) count(SubtleCrypto.prototype, method, 'webCrypto')
    count(MediaKeySession.prototype, 'update', 'eme')
  }, vendor)

describe('ClearKey', () => {
  it('is decrypted by EME in Chromium', async () => {
    const { webCrypto, eme } = await decryptedBy(CHROME)
    expect(webCrypto).toBe(0)
    expect(eme).toBeGreaterThan(0)
  }, 60_000)

  it('is decrypted by WebCrypto if the browser identifies itself as Safari', async () => {
    const { webCrypto } = await decryptedBy(SAFARI)
    expect(webCrypto).toBeGreaterThan(0)
  }, 60_000)

  it('plays in Safari although the licence comes after the first segments', async () => {
    const page = await openBlank(fixture, { userAgent: SAFARI.userAgent })
    await prepare(page, SAFARI.vendor)
    await page.route('**/licence/clearkey', async (route) => {
      const response = await route.fetch()
      await page.waitForTimeout(1_500)
      await route.fulfill({ response })
    })
    await visitEmbed(fixture, page, videoId, { query: 'autoplay=1&muted=1' })
    await untilPlays(page)
    await page.context().close()
  }, 60_000)

  it('fills the window with the container if the browser has no full screen for elements', async () => {
    const page = await openBlank(fixture, { userAgent: SAFARI.userAgent })
    await page.addInitScript(() => {
      Object.defineProperty(Document.prototype, 'fullscreenEnabled', { value: undefined })
      delete (Document.prototype as { webkitFullscreenEnabled?: boolean }).webkitFullscreenEnabled
      let asked = 0
      Element.prototype.requestFullscreen = () => {
        asked += 1
        return Promise.reject(new Error('not here'))
      }
      Object.assign(window, { askedForFullScreen: () => asked })
    })
    await visitEmbed(fixture, page, videoId)
    await play(page)
    await page.keyboard.press('f')
    await page.waitForSelector('html.full-window', { state: 'attached' })
    await page.keyboard.press('f')
    await page.waitForSelector('html:not(.full-window)', { state: 'attached' })
    const asked = await page.evaluate(() =>
      (window as unknown as { askedForFullScreen(): number }).askedForFullScreen(),
    )
    expect(asked).toBe(0)
    await page.context().close()
  }, 60_000)
})
