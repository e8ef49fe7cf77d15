import { chromium, type Browser, type Frame, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { axeFaults } from '../../../test/browser/axe.ts'
import { openFramingSite } from '../../../test/browser/framing-site.ts'
import { isHeartbeat, reportIn } from '../../../test/browser/last-report.ts'
import { openPlayerFixture, type PlayerFixture } from '../../../test/fixtures/player.ts'
import { headlessChromiumPath } from '../../../test/infrastructure/services.ts'
import { waitFor } from '../../../test/infrastructure/wait-for.ts'

let fixture: PlayerFixture
let browser: Browser
let directPlay: string

beforeAll(async () => {
  fixture = await openPlayerFixture((port) => ({
    embedBase: `http://127.0.0.1:${port}`,
    mediaBase: `http://127.0.0.1:${port}`,
    directPlayBase: `http://watch.localhost:${port}`,
  }))
  directPlay = fixture.base.replace('127.0.0.1', 'watch.localhost')
  const executablePath = await headlessChromiumPath()
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
})

afterAll(async () => {
  await browser?.close()
  await fixture?.close()
})

/** Returns the frame of the embed page once it has content. */
async function embedIn(page: Page, selector: string): Promise<Frame> {
  const frame = await waitFor('the frame', async () =>
    page.frames().find((one) => one.url().startsWith(fixture.base)),
  )
  await frame.waitForSelector(selector, { state: 'attached' })
  return frame
}

describe('the embed page in its Direct Play page', () => {
  it('is allowed without an entry in the allowed list, and reports like every player, until Direct Play is switched off', async () => {
    await fixture.configure({ direct_play: true, allowed_domains: ['site.example'] })
    const page = await browser.newPage({ viewport: { width: 320, height: 480 } })
    try {
      // The video of this fixture has no picture. Without Media Source Extensions, the player does not wait for it.
      await page.addInitScript({ content: 'delete window.MediaSource' })
      const reported = page.waitForRequest(isHeartbeat)
      await page.goto(`${directPlay}${fixture.embedPath}?vt=${fixture.vtFor('ann')}&lang=de`)
      const frame = await embedIn(page, 'media-controller')
      expect(reportIn(await reported)).toMatchObject({ watched_seconds: 0, error: 'failed' })
      expect(await frame.title()).toBe('A <b>lesson</b>')
      expect(await frame.evaluate('document.documentElement.lang')).toBe('de')
      expect(
        await page.evaluate('document.querySelector("iframe").getBoundingClientRect().toJSON()'),
      ).toMatchObject({ x: 0, y: 0, width: 320, height: 480 })
      await fixture.configure({ allowed_domains: ['site.example'] })
      await frame.goto(frame.url(), { referer: `${directPlay}/` })
      await embedIn(page, '.request')
      expect(await frame.evaluate('document.body.innerText')).toContain('watch.localhost')
      expect((await page.reload())?.status()).toBe(404)
    } finally {
      await page.close()
    }
  }, 60_000)

  it('violates no rule of axe', async () => {
    await fixture.configure({ direct_play: true })
    const context = await browser.newContext({ bypassCSP: true })
    try {
      const page = await context.newPage()
      await page.goto(directPlay + fixture.embedPath)
      expect(await axeFaults(page, 'all', { iframes: false })).toEqual([])
    } finally {
      await context.close()
    }
  }, 60_000)

  it('cannot evade the domain rules: no site can frame the Direct Play page', async () => {
    await fixture.configure({ direct_play: true, allowed_domains: ['site.example'] })
    const thief = await openFramingSite('thief.localhost')
    const page = await browser.newPage()
    try {
      await page.goto(thief.framing(directPlay + fixture.embedPath))
      const frame = await waitFor('the frame', async () => page.frames()[1])
      await frame.waitForLoadState()
      expect(frame.url()).toContain('chrome-error')
      expect(page.frames().some((one) => one.url().startsWith(fixture.base))).toBe(false)
    } finally {
      await page.close()
      thief.close()
    }
  }, 60_000)
})
