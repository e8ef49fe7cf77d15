import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addToValues } from '../../db/audience/write-audience-sums.ts'
import { RevokedViewer } from '../../db/entities/account.ts'
import { DEFINITIONS } from '../../domain/audience/definitions.ts'
import { ALL_VIDEOS } from '../../domain/audience/fold-sessions.ts'
import { FAILURE_TEXTS } from '../../domain/playback-reports/failure-texts.ts'
import { utcDay } from '../../domain/timestamps.ts'
import { insertAudience, insertViewers } from '../fixtures/audience-rows.ts'
import { cookieName, openDashboardFixture, type DashboardFixture } from '../fixtures/dashboard.ts'
import { insertPublishedVideo } from '../fixtures/published-video.ts'
import { recordHeartbeat } from '../fixtures/record-heartbeat.ts'
import { insertViewer } from '../fixtures/watched.ts'
import { loadBundledWeb } from '../fixtures/web.ts'
import { itOfAll } from '../infrastructure/every-case.ts'
import { until } from '../infrastructure/wait-for.ts'
import { checkViews, PLAIN, VIEWS_WITHIN_MS } from './dashboard-looks.ts'
import { openWatchedBrowser, type WatchedBrowser } from './watched-browser.ts'

/** Every part of an address could end in it, it would turn the text around it, and it is no markup. */
const HOSTILE_VIEWER = 'a/b?c#d%20&e <b>\u202Egnp'
const DURATION_MS = 596_000
const DAYS = 70

let t: DashboardFixture & { close: () => Promise<void> }
let browser: WatchedBrowser
let cookie: { name: string; value: string }
let strangersCookie: typeof cookie
let videoIds: string[]

const pagesOf = (accountId: number): string => `${t.dashboardBase}/accounts/${accountId}`
const open = (path: string, as = cookie): Promise<Page> =>
  browser.open(pagesOf(t.accountId) + path, PLAIN, as)
const viewerPath = (viewer: string): string => `/audience/viewer?id=${encodeURIComponent(viewer)}`

beforeAll(async () => {
  const webRouter = await loadBundledWeb()
  browser = await openWatchedBrowser()
  t = await openDashboardFixture(() => ({ webRouter }))
  const name = cookieName(t.dashboardBase)
  cookie = { name, value: await t.startSession(t.members.owner.id) }
  strangersCookie = { name, value: await t.startSession(t.members.stranger.id) }
  const { accountId } = t
  videoIds = [await insertVideo('Lesson 3'), await insertVideo('Opening night')]
  await insertAudience(t, {
    accountId,
    videoIds,
    endDay: utcDay(Date.now()),
    dayCount: DAYS,
    playsADay: 20,
  })
  await insertErrors(['licence_refused', 'decode_error'])
  const viewers = [HOSTILE_VIEWER, ...Array.from({ length: 30 }, (_, at) => `student-${at}`)]
  const [videoId = ''] = videoIds
  const of = { accountId, videoId, durationMs: DURATION_MS }
  await insertViewers(t, of, viewers, (at) => new Date(Date.now() - at * 3_600_000))
  await play(HOSTILE_VIEWER)
  await t.execute(`update playback_record set error = 'watermark'`)
}, 120_000)

afterAll(async () => {
  await browser?.close()
  await t?.close()
})

async function insertVideo(title: string): Promise<string> {
  const keys = { masterKeys: t.masterKeys, signingSecret: 'a'.repeat(64) }
  const video = { title, accountId: t.accountId, durationMs: DURATION_MS }
  return (await insertPublishedVideo(t.db, keys, video)).videoId
}

/** Adds sessions of today with these errors, of each fewer than of the one before. */
async function insertErrors(errors: readonly string[]): Promise<void> {
  const [first = ''] = videoIds
  const { accountId } = t
  const day = Math.floor(Date.now() / 86_400_000)
  await t.db.em.fork().transactional(async (tx) => {
    for (const [index, value] of errors.entries()) {
      const added = { accountId, day, kind: 'error', value, watchedMs: 0 } as const
      const plays = errors.length - index
      await addToValues(
        tx,
        [first, ALL_VIDEOS].map((videoId) => ({ ...added, videoId, plays })),
      )
    }
  })
}

/** Starts a session that plays for as long as the tests take. */
async function play(viewerId: string): Promise<void> {
  const [videoId = ''] = videoIds
  const session = {
    sessionId: crypto.randomUUID(),
    videoId,
    accountId: t.accountId,
    viewerId,
    secretVersion: 1,
    refererHost: 'www.school.example',
    startedAtMs: Date.now() - 125_000,
  }
  const report = { positionMs: 154_000, watchedMs: null, bytesLoaded: null }
  await recordHeartbeat(t.db, session, 'test', report)
  await t.execute(`update playback_record set last_seen_at = now() + interval '1 hour'`)
}

const openTable = (page: Page): Promise<void> => page.locator('summary').first().click()
const video = (): string => `/videos/${videoIds[0]}/audience`

describe('the pages of the audience', () => {
  itOfAll(
    'fit, break no rule of axe and obey the policy',
    async () => {
      const views = [
        { name: 'audience', path: '/audience', shown: 'canvas' },
        { name: 'audience table', path: '/audience?range=2d', shown: 'canvas', open: openTable },
        { name: 'audience months', path: '/audience?range=12m&metric=view', shown: 'canvas' },
        { name: 'viewers', path: '/audience/viewers', shown: 'tbody tr' },
        { name: 'no match', path: '/audience/viewers?q=nothing', shown: 'main h3' },
        { name: 'viewer', path: viewerPath(HOSTILE_VIEWER), shown: 'section ~ section tbody tr' },
        { name: 'audience of a video', path: video(), shown: 'main input[type=range]' },
        {
          name: 'curve as a table',
          path: video(),
          shown: 'main input[type=range]',
          open: openTable,
        },
      ]
      await checkViews(views, { browser, base: pagesOf(t.accountId), cookie })
    },
    VIEWS_WITHIN_MS,
  )

  itOfAll(
    'fit, break no rule of axe and obey the policy while there is nothing',
    async () => {
      const views = [
        { name: 'no audience', path: '/audience', shown: 'main .mantine-Button-root' },
        { name: 'no counted viewers', path: '/audience/viewers', shown: 'main h3' },
      ]
      const base = pagesOf(t.otherAccountId)
      await checkViews(views, { browser, base, cookie: strangersCookie })
    },
    VIEWS_WITHIN_MS,
  )
})

describe('the audience of an account', () => {
  const plays = (page: Page) => page.getByRole('listitem').filter({ hasText: /^Plays/ })

  it('has numbers with their change, of which one is the chart, and keeps time and number in the address', async () => {
    const { json } = await t.call('owner', 'GET', '/v1/audience')
    const totals = json.totals as Record<string, number>
    const page = await open('/audience')
    await plays(page).getByText(Number(totals.plays).toLocaleString('en')).waitFor()
    await plays(page)
      .getByText(/% more than in the time before \(\d+\)/)
      .waitFor()
    const shown = page.getByRole('figure', { name: /over time$/ })
    // The numbers of the time before are a line of the chart and a column of its table.
    await shown.locator('figcaption').getByText('The time before').waitFor()
    expect(await shown.locator('thead th').allTextContents()).toEqual([
      'Day',
      'Plays',
      'The time before',
    ])
    await page.getByRole('link', { name: 'Watch time' }).press('Enter')
    await page.waitForURL(/metric=watch/)
    await page.getByRole('figure', { name: 'Watch time over time' }).waitFor()
    await page.getByLabel('Time', { exact: true }).selectOption('2d')
    await page.waitForURL(/range=2d/)
    await shown.locator('summary').click()
    // Today only up to now.
    const hours = (): number => 24 + new Date().getUTCHours() + 1
    await until(async () => (await shown.locator('tbody tr').count()) === hours(), 5_000)
    // Viewers have no hours, so they are no choice.
    expect(await page.getByRole('link', { name: 'Viewers', exact: true }).count()).toBe(1)
    await page.getByLabel('Time', { exact: true }).selectOption('Other days')
    const from = utcDay(Date.now() - 30 * 86_400_000)
    await page.getByLabel('From').fill(from)
    await page.getByLabel('From').press('Enter')
    await page.waitForURL((url) => url.searchParams.get('from') === from)
    await page.reload()
    await page.getByRole('figure', { name: 'Watch time over time' }).waitFor()
    await until(async () => (await shown.locator('tbody tr').count()) === 31, 5_000)
    // A day that is in no order is not sent.
    await page.getByLabel('From').fill('2099-01-01')
    await page.getByLabel('From').press('Enter')
    await page.getByText('Choose two days in order').waitFor()
    expect(new URL(page.url()).searchParams.get('from')).toBe(from)
    await page.goBack()
    await page.waitForURL(/range=2d/)
    // A step leads to the two days before, and one in the other direction back, where it ends.
    await page.getByRole('button', { name: 'Earlier' }).press('Enter')
    const days = (ago: number) => utcDay(Date.now() - ago * 86_400_000)
    await page.waitForURL((url) => url.search.includes(`from=${days(3)}&to=${days(2)}`))
    await page.getByRole('button', { name: 'Later' }).press('Enter')
    await page.waitForURL(/range=2d/)
    expect(await page.getByRole('button', { name: 'Later' }).getAttribute('aria-disabled')).toBe(
      'true',
    )
    expect(await browser.complaints(page)).toEqual([])
    await browser.leave(page)
  }, 60_000)

  it('leads from a day of the chart to its hours, and marks what is not over', async () => {
    const page = await open('/audience')
    const shown = page.getByRole('figure', { name: 'Plays over time' })
    await shown.locator('summary').click()
    await shown.getByRole('rowheader').last().getByText(', so far').waitFor()
    await shown.getByRole('button').nth(26).press('Enter')
    const yesterday = utcDay(Date.now() - 86_400_000)
    await page.waitForURL((url) => url.search.includes(`from=${yesterday}&to=${yesterday}`))
    await shown.getByRole('columnheader', { name: 'Hour' }).waitFor()
    await until(async () => (await shown.locator('tbody tr').count()) === 24, 5_000)
    expect(await shown.getByText(', so far').count()).toBe(0)
    await page.goBack()
    await shown.getByRole('columnheader', { name: 'Day' }).waitFor()
    const plot = shown.locator('.u-over')
    const { width, height } = (await plot.boundingBox()) ?? { width: 0, height: 0 }
    await plot.click({ position: { x: width - 2, y: height / 2 } })
    await page.waitForURL((url) => url.searchParams.get('from') === utcDay(Date.now()))
    await browser.leave(page)
  }, 60_000)

  it('explains each number in the words of the API, on focus and while the pointer rests on it', async () => {
    const page = await open('/audience')
    const signs = page.getByRole('button', { name: /^What is meant: / })
    await signs.first().waitFor()
    const said: string[] = []
    // Those of the breakdowns may still come.
    const shown = await signs.all()
    for (const sign of shown) {
      await sign.focus()
      said.push(...(await page.getByRole('tooltip').locator('p').allInnerTexts()))
    }
    const { retention, ...numbers } = DEFINITIONS
    for (const text of Object.values(numbers)) expect(said).toContain(text)
    expect(said).not.toContain(retention)
    expect(await shown.at(-1)?.getAttribute('aria-describedby')).toBe(
      await page.getByRole('tooltip').getAttribute('id'),
    )
    await page.keyboard.press('Escape')
    await page.getByRole('tooltip').waitFor({ state: 'detached' })
    await signs.first().hover()
    await page.getByRole('tooltip').hover()
    await page.getByText(DEFINITIONS.plays).waitFor()
    expect(await browser.axe(page)).toEqual([])
    await browser.leave(page)
  }, 60_000)

  it('has the errors as a share of plays and failed starts, by cause, and the time in which half have begun', async () => {
    const { json } = await t.call('owner', 'GET', '/v1/audience')
    const { errors = 0, error_rate: rate = 0, ...totals } = json.totals as Record<string, number>
    const { json: byCause } = await t.call('owner', 'GET', '/v1/audience/breakdown?kind=error')
    const [most] = byCause.data as { value: string; plays: number }[]
    const page = await open('/audience')
    const card = (name: string) => page.getByRole('listitem').filter({ hasText: name })
    await card('Start time')
      .getByText(`50%: ${totals.first_frame_p50_seconds?.toFixed(1)} sec`)
      .waitFor()
    const first = page.getByRole('table', { name: 'Errors' }).locator('tbody tr').first()
    await first.waitFor()
    const shown = Number.parseFloat(await first.locator('td').last().innerText())
    expect(shown).toBeCloseTo((100 * (most?.plays ?? NaN) * rate) / errors, 0)
    // In the words of the page that explains one failure, to which a link leads; a code that is no cause is shown as it is.
    expect(most?.value).toBe('network')
    const heads = page.getByRole('table', { name: 'Errors' }).getByRole('rowheader')
    await heads.getByText(FAILURE_TEXTS.network.message).waitFor()
    expect(await heads.allInnerTexts()).toEqual([
      `${FAILURE_TEXTS.network.message}\nnetwork`,
      `${FAILURE_TEXTS.licence_refused.message}\nlicence_refused`,
      'decode_error',
    ])
    await page.getByRole('region', { name: 'Errors' }).getByRole('link').click()
    await page.waitForURL(/\/security\/why$/)
    await browser.leave(page)
  })

  it('is saved as the CSV of the server, for the time that is shown', async () => {
    const page = await open('/audience?range=7d')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'Sites' }).click()
    const file = await download
    const [from, to] = [6, 0].map((ago) => utcDay(Date.now() - ago * 86_400_000))
    expect(file.suggestedFilename()).toBe(`host-${from}-${to}.csv`)
    const [head, first] = (await readFile(await file.path(), 'utf8')).split('\r\n')
    expect(head).toBe('\uFEFFkind,value,plays,watch_seconds')
    expect(first).toMatch(/^host,www\.school\.example,\d+,\d+$/)
    await browser.leave(page)
  })

  it('leads to the sessions that play now and to the audience of a video, for the same time', async () => {
    const page = await open('/audience?range=7d')
    const link = page.getByRole('link', { name: '1 playing now' })
    expect(await link.getAttribute('href')).toMatch(/\/security\/playing$/)
    await page.getByRole('link', { name: 'Lesson 3' }).click()
    await page.waitForURL(/\/audience\?range=7d$/)
    await page.getByRole('heading', { level: 1, name: 'Lesson 3' }).waitFor()
    await page.getByRole('region', { name: 'Retention' }).getByRole('slider').waitFor()
    const viewers = page.getByRole('region', { name: 'Viewers of this video' })
    await until(async () => (await viewers.locator('tbody tr').count()) === 10, 5_000)
    await viewers.getByRole('link', { name: 'Next page' }).click()
    await page.waitForURL(/after=/)
    await viewers.getByRole('link', { name: 'student-19' }).waitFor()
    await browser.leave(page)
  }, 60_000)

  it('shows the poster of each of the most watched videos, in a place of the same size while there is none', async () => {
    await t.execute('update video set has_poster = true where id = ?', [videoIds[0]])
    const page = await open('/audience')
    const rows = page.getByRole('table', { name: 'Most watched videos' }).locator('tbody tr')
    const heights = () =>
      rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height))
    // The host of this poster does not exist.
    await until(async () => (await rows.locator('span > svg').count()) === 2, 10_000)
    const before = await heights()
    const body = '<svg xmlns="http://www.w3.org/2000/svg" width="640" height="900"/>'
    await page.route('https://play.example/posters/**', (route) =>
      route.fulfill({ contentType: 'image/svg+xml', body }),
    )
    await page.reload()
    const poster = rows.locator('img[loading=lazy]')
    await until(
      () => poster.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth > 0),
      10_000,
    )
    expect(await rows.locator('span > svg').count()).toBe(1)
    expect(await heights()).toEqual(before)
    await browser.leave(page)
  }, 60_000)

  it('has more than the ten most watched videos on demand', async () => {
    const more = Array.from({ length: 9 }, () => insertVideo('Rehearsal'))
    const added = { accountId: t.accountId, videoIds: await Promise.all(more) }
    await insertAudience(t, { ...added, endDay: utcDay(Date.now()), dayCount: 1, playsADay: 90 })
    const page = await open('/audience')
    const rows = page.getByRole('table', { name: 'Most watched videos' }).locator('tbody tr')
    await until(async () => (await rows.count()) === 10, 5_000)
    await page.getByRole('button', { name: 'Show more' }).press('Enter')
    await until(async () => (await rows.count()) === 11, 5_000)
    await page.getByRole('button', { name: 'Show fewer' }).press('Enter')
    await until(async () => (await rows.count()) === 10, 5_000)
    await browser.leave(page)
  }, 60_000)

  it('has nothing in a time before the first play, from which one press leads back', async () => {
    const page = await open('/audience?from=2025-01-01&to=2025-01-31')
    await page.getByRole('heading', { name: 'No plays in this time' }).waitFor()
    await page.getByRole('button', { name: 'Last 28 days' }).press('Enter')
    await plays(page).first().waitFor()
    expect(new URL(page.url()).search).toBe('')
    await browser.leave(page)
  })

  it('is compared with nothing if nothing was played before', async () => {
    const page = await open('/audience?range=12m')
    await page.getByText(/^No comparison: nothing was played from/).waitFor()
    await plays(page).getByText('No comparison').waitFor({ state: 'attached' })
    await browser.leave(page)
  })
})

describe('the viewers', () => {
  it('are saved as one file, over all pages', async () => {
    const more = Array.from({ length: 170 }, (_, at) => `pupil-${at}`)
    for (const viewer of more) await insertViewer(t.db, t.accountId, viewer)
    const page = await open('/audience/viewers')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n')
    expect(lines).toHaveLength(1 + 31 + more.length)
    expect(new Set(lines).size).toBe(lines.length)
    for (const viewer of more) await t.execute('delete from viewer where viewer_id = ?', [viewer])
    await browser.leave(page)
  })

  it('are searched by the beginning of their id, and each has a page, whatever the id', async () => {
    const page = await open('/audience/viewers')
    await page.getByLabel('Beginning of a viewer ID').fill('a/b?')
    await page.waitForURL(/q=a/)
    const rows = page.getByRole('table', { name: 'Viewers' }).locator('tbody tr')
    await until(async () => (await rows.count()) === 1, 5_000)
    await rows.getByRole('link').click()
    const heading = page.getByRole('heading', { level: 1 }).locator('bdi')
    await until(async () => (await heading.textContent()) === HOSTILE_VIEWER, 5_000)
    await page.reload()
    const watched = page.getByRole('table', { name: 'What they watched' })
    await watched.getByRole('link', { name: 'Lesson 3' }).waitFor()
    await watched.getByText('100%').waitFor()
    await page.getByRole('table', { name: 'Playing now' }).getByText('www.school.example').waitFor()
    const sessions = page.getByRole('table', { name: 'Latest sessions' })
    await sessions.getByRole('link', { name: 'Lesson 3' }).waitFor()
    await sessions.getByText('www.school.example').waitFor()
    await sessions.getByText(FAILURE_TEXTS.watermark.message).waitFor()
    await page.getByRole('button', { name: 'What is meant: Watch time' }).focus()
    await page.getByRole('tooltip').getByText(DEFINITIONS.watch_seconds).waitFor()
    expect(await browser.complaints(page)).toEqual([])
    await browser.leave(page)
  }, 60_000)

  it('have a page also with an id that addresses write otherwise', async () => {
    const odd = ['.', '..', '%2e', 'a/b', '123', 'true', 'Zoë & 李雷?', 'x'.repeat(64)]
    for (const viewer of odd) await insertViewer(t.db, t.accountId, viewer)
    const page = await open('/audience/viewers')
    const heading = page.getByRole('heading', { level: 1 }).locator('bdi')
    for (const viewer of odd) {
      await page.getByLabel('Beginning of a viewer ID').fill(viewer)
      await page.waitForURL((url) => url.searchParams.get('q') === viewer)
      await page.getByRole('link', { name: viewer, exact: true }).click()
      await until(async () => (await heading.textContent()) === viewer, 5_000)
      await page.reload()
      await until(async () => (await heading.textContent()) === viewer, 5_000)
      await page.locator('dt', { hasText: 'Last seen' }).waitFor()
      await page.locator('main').getByRole('link', { name: 'Viewers', exact: true }).click()
    }
    await page.goto(`${pagesOf(t.accountId)}/audience/viewer`)
    await page.waitForURL(/\/audience\/viewers$/)
    for (const viewer of odd) await t.execute('delete from viewer where viewer_id = ?', [viewer])
    await browser.leave(page)
  }, 60_000)

  it('are revoked, restored and erased on their page, by those who may', async () => {
    const count = () =>
      t.em().count(RevokedViewer, { accountId: t.accountId, viewerId: HOSTILE_VIEWER })
    const value = await t.startSession(t.members.reader.id)
    const readers = await open(viewerPath(HOSTILE_VIEWER), { ...cookie, value })
    await readers.getByRole('table', { name: 'What they watched' }).waitFor()
    for (const name of ['Revoke viewer', 'Erase viewer'])
      expect(await readers.getByRole('button', { name }).count()).toBe(0)
    await browser.leave(readers)
    const page = await open(viewerPath(HOSTILE_VIEWER))
    await page.getByRole('button', { name: 'Revoke viewer' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(await count()).toBe(0)
    await page.getByRole('button', { name: 'Revoke viewer' }).click()
    await dialog.getByRole('button', { name: 'Revoke viewer' }).click()
    await page.getByRole('button', { name: 'Restore viewer' }).waitFor()
    expect(await count()).toBe(1)
    await page.getByRole('button', { name: 'Restore viewer' }).click()
    await page.getByRole('button', { name: 'Revoke viewer' }).waitFor()
    expect(await count()).toBe(0)
    await page.getByRole('button', { name: 'Erase viewer' }).click()
    await dialog.getByRole('button', { name: 'Erase viewer' }).click()
    await page.getByText('The viewer is erased within minutes').waitFor()
    const requested = await t.execute('select viewer_id from viewer_erasure')
    expect(requested).toEqual([{ viewer_id: HOSTILE_VIEWER }])
    await browser.leave(page)
  }, 60_000)

  it('can be revoked before anything of them is counted', async () => {
    await play('newcomer')
    const page = await open(viewerPath('newcomer'))
    await page.getByText('Nothing of this viewer is counted yet.').waitFor()
    await page.getByRole('table', { name: 'Playing now' }).getByText('Lesson 3').waitFor()
    await page.getByRole('button', { name: 'Revoke viewer' }).waitFor()
    await browser.leave(page)
  })
})
