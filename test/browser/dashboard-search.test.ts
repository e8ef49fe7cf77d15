import { MockActivityEnvironment } from '@temporalio/testing'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withDeps } from '../../activities/deps.ts'
import { indexCaptions } from '../../activities/upkeep/index-captions.ts'
import { putCaption } from '../../db/videos/write-annotations.ts'
import { cookieName, openDashboardFixture, type DashboardFixture } from '../fixtures/dashboard.ts'
import { insertVideoFixture } from '../fixtures/video-rows.ts'
import { loadBundledWeb } from '../fixtures/web.ts'
import { itOfAll } from '../infrastructure/every-case.ts'
import { checkViews, PLAIN, VIEWS_WITHIN_MS } from './dashboard-looks.ts'
import { openWatchedBrowser, type WatchedBrowser } from './watched-browser.ts'

/** What could be taken for markup, and would turn the text around it. */
const HOSTILE = '&lt;img src=x onerror=alert(1)&gt; \u202Eenergy'

let fixture: DashboardFixture & { close: () => Promise<void> }
let browser: WatchedBrowser
let cookie: { name: string; value: string }
let videoId: string

beforeAll(async () => {
  const webRouter = await loadBundledWeb()
  browser = await openWatchedBrowser()
  fixture = await openDashboardFixture(() => ({ webRouter }))
  const value = await fixture.startSession(fixture.members.owner.id)
  cookie = { name: cookieName(fixture.dashboardBase), value }
  const { db, accountId } = fixture
  videoId = await insertVideoFixture(db, { accountId, title: 'Plants', status: 'ready' })
  const other = await insertVideoFixture(db, { accountId, title: 'Batteries', status: 'ready' })
  await say(
    videoId,
    'en',
    `Light is turned\n\n01:05.000 --> 01:08.000\ninto energy, energy and energy.`,
  )
  await say(videoId, 'ar', 'الطاقة الشمسية مهمة')
  await say(other, 'en', HOSTILE)
  await new MockActivityEnvironment().run(withDeps({ db }, indexCaptions))
}, 120_000)

afterAll(async () => {
  await browser?.close()
  await fixture?.close()
})

async function say(id: string, languageCode: string, text: string): Promise<void> {
  const content = `WEBVTT\n\n01:01.000 --> 01:04.500\n${text}\n`
  const sizeBytes = Buffer.byteLength(content)
  const caption = { videoId: id, languageCode, label: languageCode.toUpperCase() }
  await putCaption(fixture.em(), { ...caption, content, sizeBytes })
}

const open = (path: string): Promise<Page> =>
  browser.open(`${fixture.dashboardBase}/accounts/${fixture.accountId}${path}`, PLAIN, cookie)

const results = (page: Page) => page.getByRole('list', { name: 'Moments' }).getByRole('listitem')

const VIEWS = [
  { name: 'search', path: '/videos/search', shown: 'main h2' },
  { name: 'found moments', path: '/videos/search?q=energy', shown: 'mark' },
  { name: 'no moment', path: '/videos/search?q=unsaid', shown: 'main h2' },
]

describe('the search in captions', () => {
  itOfAll(
    'fits, breaks no rule of axe and obeys the policy',
    async () => {
      const base = `${fixture.dashboardBase}/accounts/${fixture.accountId}`
      await checkViews(VIEWS, { browser, base, cookie })
    },
    VIEWS_WITHIN_MS,
  )

  it('is opened from the videos with what was sought there, and lists moments with their matches', async () => {
    const page = await open('/videos?q=energy')
    await page.getByRole('link', { name: 'Search in captions' }).click()
    await page.waitForURL('**/videos/search?q=energy')
    await results(page).nth(1).waitFor()
    const [first, second] = [results(page).first(), results(page).nth(1)]
    await first.getByRole('link', { name: 'Plants' }).waitFor()
    expect(await first.locator('mark').allTextContents()).toEqual(['energy', 'energy', 'energy'])
    expect(await first.locator('p').textContent()).toBe('into energy, energy and energy.')
    expect(await second.locator('p').textContent()).toBe(
      '<img src=x onerror=alert(1)> \u202Eenergy',
    )
    expect(await second.locator('p').evaluate((p) => getComputedStyle(p).unicodeBidi)).toMatch(
      /isolate|plaintext/,
    )
    await page.getByLabel('What is said').fill('طاقة')
    const arabic = results(page).locator('p[lang=ar]')
    await arabic.waitFor()
    expect(await arabic.evaluate((p) => getComputedStyle(p).direction)).toBe('rtl')
    await page.getByLabel('What is said').fill('-energy')
    await page.getByRole('heading', { name: 'No word to look for' }).waitFor()
    await page.getByLabel('What is said').fill('unsaid')
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
    // Of the search without a word.
    expect(await browser.complaints(page)).toEqual([expect.stringContaining('422')])
    await browser.leave(page)
  }, 60_000)

  it('opens the real player at the moment, with its caption and a token of the member', async () => {
    const page = await open('/videos/search?q=%22into+energy%22')
    await page.getByRole('button', { name: 'Play from 1:05' }).click()
    const frame = page.locator('reelgate-video iframe')
    await frame.waitFor()
    const address = new URL((await frame.getAttribute('src')) ?? '')
    expect(address.pathname).toContain(videoId)
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      start: '65',
      captions: 'en',
      autoplay: '1',
      vt: expect.stringMatching(/./),
    })
    await browser.leave(page)
  }, 60_000)
})
