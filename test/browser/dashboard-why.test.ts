import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keepReports } from '../../commands/playback-reports/keep-reports.ts'
import type { ReportDetails } from '../../db/entities/playback-report.ts'
import { encodeFailureCode } from '../../domain/playback-reports/failure-code.ts'
import type { PlaybackCause } from '../../domain/playback-reports/playback-causes.ts'
import { cookieName, openDashboardFixture, type DashboardFixture } from '../fixtures/dashboard.ts'
import { insertPublishedVideo } from '../fixtures/published-video.ts'
import { loadBundledWeb } from '../fixtures/web.ts'
import { checkViews, PLAIN, VIEWS_WITHIN_MS } from './dashboard-looks.ts'
import { openWatchedBrowser, type WatchedBrowser } from './watched-browser.ts'

type Cookie = { name: string; value: string }

/** A viewer id that would turn the text around it if it were not isolated, and that is no markup. */
const HOSTILE_VIEWER = '<b>"eve"</b>\u202Egnp'

let t: DashboardFixture & { close: () => Promise<void> }
let browser: WatchedBrowser
let cookie: Cookie
let strangersCookie: Cookie
let readersCookie: Cookie
let videoId: string
let code: string

const pagesOf = (accountId: number): string => `${t.dashboardBase}/accounts/${accountId}`
const open = (path = '', by = cookie): Promise<Page> =>
  browser.open(`${pagesOf(t.accountId)}/security/why${path}`, PLAIN, by)

beforeAll(async () => {
  const webRouter = await loadBundledWeb()
  browser = await openWatchedBrowser()
  t = await openDashboardFixture(() => ({ webRouter }))
  const name = cookieName(t.dashboardBase)
  cookie = { name, value: await t.startSession(t.members.owner.id) }
  strangersCookie = { name, value: await t.startSession(t.members.stranger.id) }
  readersCookie = { name, value: await t.startSession(t.members.reader.id) }
  const keys = { masterKeys: t.masterKeys, signingSecret: 'a'.repeat(64) }
  const facts = { title: 'Opening night', accountId: t.accountId, durationMs: 3_600_000 }
  videoId = (await insertPublishedVideo(t.db, keys, facts)).videoId
  code = await keep('domain_not_allowed')
}, 120_000)

afterAll(async () => {
  await browser?.close()
  await t?.close()
})

/** Keeps a report; returns its code. */
async function keep(cause: PlaybackCause, details: ReportDetails = {}): Promise<string> {
  const made = encodeFailureCode({ cause, atMs: Date.now() }, Math.floor(Math.random() * 2 ** 23))
  const facts = { videoId, viewerId: HOSTILE_VIEWER, host: 'lms.example.org', details }
  const device = { browser: 'Firefox', system: 'Windows' }
  await keepReports(t.em(), [{ code: made, accountId: t.accountId, cause, ...facts, ...device }])
  return made
}

describe('the page that says why a video did not play', () => {
  it(
    'fits, breaks no rule of axe and obeys the policy',
    async () => {
      const views = [
        { name: 'why', path: `/security/why?code=${code}`, shown: 'dl' },
        { name: 'why not', path: '/security/why?code=x', shown: '[aria-invalid=true]' },
      ]
      await checkViews(views, { browser, base: pagesOf(t.accountId), cookie })
      const empty = [{ name: 'why without a code', path: '/security/why', shown: 'main h3' }]
      const base = pagesOf(t.otherAccountId)
      await checkViews(empty, { browser, base, cookie: strangersCookie })
    },
    VIEWS_WITHIN_MS,
  )

  it('takes a code as it is read out, and leads to the setting', async () => {
    const page = await open()
    await page.getByText('No code yet').waitFor()
    const field = page.getByLabel('Code')
    await field.fill(code.toLowerCase().replaceAll('-', ' '))
    await field.press('Enter')
    await page.waitForURL((url) => url.searchParams.get('code') === code)
    await page
      .getByRole('heading', { name: 'lms.example.org is not in the list of allowed domains.' })
      .waitFor()
    await page.getByText('Add lms.example.org to the allowed domains.').waitFor()
    await page.getByText('Firefox (Windows)').waitFor()
    expect(await page.locator('dd bdi').allTextContents()).toContain(HOSTILE_VIEWER)
    await page.getByRole('link', { name: 'Open the domains' }).click()
    await page.waitForURL(/\/settings\/domains$/)
    await page.goBack()
    await page.reload()
    await page.getByText('Add lms.example.org to the allowed domains.').waitFor()
    expect(await browser.complaints(page)).toEqual([])
    await browser.leave(page)
  }, 60_000)

  it('says which character was misheard, without a request', async () => {
    const page = await open()
    let requests = 0
    page.on('request', (request) => {
      if (request.url().includes('playback-reports')) requests += 1
    })
    const field = page.getByLabel('Code')
    await field.fill(code.replace(/.$/, code.endsWith('2') ? '3' : '2'))
    await field.press('Enter')
    await page.getByText('A character is wrong or missing.').waitFor()
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    expect(requests).toBe(0)
    await browser.leave(page)
  }, 60_000)

  it('is for readers too, names the page of the video, and says how long ago a token expired', async () => {
    const framed = await open(`?code=${await keep('sandboxed')}`, readersCookie)
    await framed.getByRole('link', { name: 'Open the embed code' }).click()
    await framed.waitForURL((url) => url.pathname.endsWith(`/videos/${videoId}/embed`))
    await browser.leave(framed)
    const expired = await keep('token_expired', { expired_seconds: 3 * 3600 + 60 })
    const page = await open(`?code=${expired}`, readersCookie)
    await page.getByText('expired 3 hours before the player was loaded').waitFor()
    await browser.leave(page)
  }, 60_000)

  it('says only what the code says if the report is of another account', async () => {
    const path = `${pagesOf(t.otherAccountId)}/security/why?code=${code}`
    const page = await browser.open(path, PLAIN, strangersCookie)
    await page.getByText('The site is not in the list of allowed domains.').waitFor()
    await page.getByText('No report with this code is kept').waitFor()
    expect(await page.locator('main').textContent()).not.toContain('lms.example.org')
    // Facts that are not known are left out.
    expect(await page.locator('dt').allTextContents()).toEqual(['Code', 'Cause', 'Time'])
    await browser.leave(page)
  }, 60_000)
})
