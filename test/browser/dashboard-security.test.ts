import type { Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEndpoint } from '../../commands/webhooks/endpoints.ts'
import { insertPayment } from '../../db/accounts/write-payments.ts'
import { Plan, RevokedViewer } from '../../db/entities/account.ts'
import { SecurityEvent, WebhookEndpoint } from '../../db/entities/event.ts'
import type { SecuritySeverity } from '../../domain/webhooks/events.ts'
import { cookieName, openDashboardFixture, type DashboardFixture } from '../fixtures/dashboard.ts'
import { insertPublishedVideo } from '../fixtures/published-video.ts'
import { recordHeartbeat } from '../fixtures/record-heartbeat.ts'
import { insertVideoFixture } from '../fixtures/video-rows.ts'
import { loadBundledWeb } from '../fixtures/web.ts'
import { itOfAll, someOf } from '../infrastructure/every-case.ts'
import { waitFor } from '../infrastructure/wait-for.ts'
import { checkViews, PLAIN, VIEWS_WITHIN_MS } from './dashboard-looks.ts'
import { comeBackLater, hastenTimers } from './hasten-timers.ts'
import { openWatchedBrowser, type WatchedBrowser } from './watched-browser.ts'

/** A viewer id that would turn the text around it if it were not isolated, and that is no markup. */
const HOSTILE_VIEWER = '<b>"eve"</b>\u202Egnp'

type Cookie = { name: string; value: string }

let t: DashboardFixture & { close: () => Promise<void> }
let browser: WatchedBrowser
let cookie: Cookie
/** The other account has its owner, and nothing else. */
let strangersCookie: Cookie
let videoId: string

const pagesOf = (accountId: number): string => `${t.dashboardBase}/accounts/${accountId}`
const open = (path: string): Promise<Page> =>
  browser.open(pagesOf(t.accountId) + path, PLAIN, cookie)

beforeAll(async () => {
  const webRouter = await loadBundledWeb()
  browser = await openWatchedBrowser()
  t = await openDashboardFixture(() => ({ webRouter }))
  const name = cookieName(t.dashboardBase)
  cookie = { name, value: await t.startSession(t.members.owner.id) }
  strangersCookie = { name, value: await t.startSession(t.members.stranger.id) }
  videoId = (await play('anna', 'courses.example')).videoId
  await play(HOSTILE_VIEWER, 'copy.example')
  await play(null, null)
  await t.em().insert(RevokedViewer, { accountId: t.accountId, viewerId: 'mallory' })
  await insertEvents()
  await insertUsage()
  await insertFailures()
}, 120_000)

afterAll(async () => {
  await browser?.close()
  await t?.close()
})

/** Starts a playback session with one heartbeat; returns its claims. */
async function play(viewerId: string | null, refererHost: string | null, accountId = t.accountId) {
  const keys = { masterKeys: t.masterKeys, signingSecret: 'a'.repeat(64) }
  const facts = { title: 'Opening night', accountId, durationMs: 3_600_000 }
  const { videoId: id } = await insertPublishedVideo(t.db, keys, facts)
  const sessionId = crypto.randomUUID()
  const startedAtMs = Date.now() - 125_000
  const session = {
    sessionId,
    videoId: id,
    accountId,
    viewerId,
    secretVersion: 1,
    refererHost,
    startedAtMs,
  }
  const report = { positionMs: 754_000, watchedMs: null, bytesLoaded: null }
  await recordHeartbeat(t.db, session, 'test', report)
  // It stays in the list for as long as the tests take.
  await t.execute(`update playback_record set last_seen_at = now() + interval '1 hour'`)
  return session
}

async function insertEvents(): Promise<void> {
  const kinds: [string, SecuritySeverity, object][] = [
    ['domain_refused', 'low', { reason: 'domain_not_allowed', host: 'copy.example' }],
    ['viewer_token_required', 'medium', {}],
    ['watermark_tampered', 'high', { how: 'hidden' }],
    ['domain_refused', 'medium', { reason: 'domain_blocked', host: 'mirror.example' }],
    ['licence_refused', 'low', { reason: 'unknown_key' }],
  ]
  // Within six days: just after midnight, the range of seven days is hardly longer.
  const hours = Array.from({ length: 40 }, (_, index) => index * 3.5)
  for (const [index, hour] of hours.entries()) {
    const [eventType, severity, details] = kinds[index % kinds.length] ?? ['x', 'low', {}]
    const viewerId = severity === 'high' ? HOSTILE_VIEWER : null
    const facts = { eventType, severity, details: { ...details }, viewerId, videoId }
    const createdAt = new Date(Date.now() - hour * 3_600_000)
    await t.em().insert(SecurityEvent, { ...facts, accountId: t.accountId, createdAt })
  }
}

async function insertUsage(): Promise<void> {
  const { accountId } = t
  await t.execute(
    `insert into usage_day (account_id, day, bandwidth_bytes, encoded_ms)
     select ?, (now() at time zone 'UTC')::date - n, (40 - n % 7 * 5) * 100000000::bigint,
       (n % 5) * 600000 from generate_series(0, 40) n`,
    [accountId],
  )
  const limits = { storageLimitBytes: 500_000_000, encodingLimitMinutes: 6000 }
  await t.em().nativeUpdate(Plan, { accountId }, limits)
  await t.execute('update video set size_bytes = 470000000 where id = ?', [videoId])
  const payment = { accountId, currency: 'usd', planType: 'pro', billingCycle: 'monthly' } as const
  for (const reference of ['stripe:in_1Abc', 'manual:7'])
    await insertPayment(t.em(), { ...payment, amount: 4900, reference })
}

async function insertFailures(): Promise<void> {
  const { accountId } = t
  const id = await insertVideoFixture(t.db, { accountId, title: 'A lecture', status: 'failed' })
  await t.execute(`update video set error_code = 'no_video_stream' where id = ?`, [id])
  await t.em().insert(WebhookEndpoint, {
    accountId,
    url: 'https://hooks.example/video',
    events: ['video.ready'],
    sealedSecret: 'sealed',
    disabledReason: null,
    failureCount: 7,
  })
}

const openTable = async (page: Page): Promise<void> => {
  await page.locator('canvas').first().waitFor()
  await page.locator('summary').first().click()
}

const FULL = [
  { name: 'overview', path: '', shown: '#plan' },
  { name: 'events', path: '/security/events', shown: 'canvas' },
  { name: 'events by hour', path: '/security/events?range=24h&severity=low', shown: 'canvas' },
  { name: 'events table', path: '/security/events?range=24h', shown: 'canvas', open: openTable },
  {
    name: 'events of a viewer',
    path: `/security/events?viewer=${encodeURIComponent(HOSTILE_VIEWER)}`,
    shown: 'td a bdi',
  },
  { name: 'events no match', path: '/security/events?viewer=nothing', shown: 'main h3' },
  { name: 'playing', path: '/security/playing', shown: 'tbody tr' },
  {
    name: 'end playback',
    path: '/security/playing',
    shown: 'tbody tr',
    open: async (page: Page) => {
      await page.getByRole('row').nth(1).locator('td').last().getByRole('link').first().click()
      await page.getByRole('dialog').waitFor()
    },
  },
  { name: 'viewers', path: '/security/viewers', shown: 'tbody tr' },
  {
    name: 'revoke viewer',
    path: '/security/viewers/revoke?viewer=anna',
    shown: '[role=dialog] form',
  },
  { name: 'usage', path: '/usage?days=30d', shown: 'canvas' },
  { name: 'plan', path: '/plan', shown: 'tbody tr' },
]

const EMPTY = [
  { name: 'first steps', path: '', shown: '#steps' },
  { name: 'no events', path: '/security/events', shown: 'main h3' },
  { name: 'no playback', path: '/security/playing', shown: 'main h3' },
  { name: 'no viewers', path: '/security/viewers', shown: 'main h3' },
  { name: 'no usage', path: '/usage', shown: 'canvas' },
  { name: 'no payments', path: '/plan', shown: 'main h3 ~ div h3' },
]

describe('the pages of overview, security and usage', () => {
  itOfAll(
    'fit, break no rule of axe and obey the policy',
    async () => {
      await checkViews(FULL, { browser, base: pagesOf(t.accountId), cookie })
    },
    VIEWS_WITHIN_MS,
  )

  itOfAll(
    'fit, break no rule of axe and obey the policy while there is nothing',
    async () => {
      const base = pagesOf(t.otherAccountId)
      await checkViews(EMPTY, { browser, base, cookie: strangersCookie })
    },
    VIEWS_WITHIN_MS,
  )

  itOfAll(
    'say what went wrong, and try again',
    async () => {
      const page = await open('/plan')
      const paths = ['', '/security/events', '/security/playing', '/security/viewers', '/usage']
      for (const path of someOf(paths, 5)) {
        await page.route('**/api/accounts/**', (route) =>
          route.fulfill({
            status: 422,
            json: { error: { code: 'broken', message: 'It is broken.' } },
          }),
        )
        await page.goto(pagesOf(t.accountId) + path)
        await page.getByRole('alert').getByText('It is broken.').waitFor()
        expect([path, await browser.axe(page)]).toEqual([path, []])
        await page.unroute('**/api/accounts/**')
        await page.getByRole('button', { name: 'Try again' }).click()
        await page.getByRole('alert').getByText('It is broken.').waitFor({ state: 'hidden' })
      }
      await browser.leave(page)
    },
    60_000,
  )
})

describe('the overview', () => {
  it('asks the server while its code loads, and asks once who is signed in', async () => {
    const page = await browser.open(pagesOf(t.otherAccountId), PLAIN, strangersCookie)
    await page.getByText('First steps').waitFor()
    await page.locator('aside bdi:not(:empty)').first().waitFor()
    const load = () =>
      performance.getEntriesByType('resource').map((entry) => {
        const { name, initiatorType } = entry.toJSON()
        return `${initiatorType} ${new URL(name).pathname}`
      })
    const loads = await page.evaluate(load)
    const api = `/api/accounts/${t.otherAccountId}`
    expect(loads.filter((text) => text.endsWith('/me'))).toEqual([`link ${api}/me`])
    expect(loads).toContain(`link ${api}/overview`)
    await browser.leave(page)
  })

  it('leads to the next step, folds each one when it has really happened, and hides them when all are done', async () => {
    const accountId = t.otherAccountId
    const page = await browser.open(pagesOf(accountId), PLAIN, strangersCookie)
    const steps = page.getByRole('region', { name: 'First steps' })
    const done = async (count: number, next: string): Promise<void> => {
      await waitFor(`${count} steps`, async () => {
        await page.evaluate(comeBackLater)
        return steps.getByText(`${count} of 5 done`).isVisible()
      })
      // The only filled button.
      expect(await steps.locator('a.mantine-Button-root').allTextContents()).toEqual([next])
    }
    const call = async (method: string, path: string, body: object) => {
      const { status, json } = await t.call('stranger', method, path, { accountId, body })
      expect([path, status < 300]).toEqual([path, true])
      return json
    }
    await page.evaluate(hastenTimers)
    await steps.getByRole('link', { name: 'Add video' }).waitFor()
    expect(await page.getByText('Nothing needs you.').count()).toBe(0)
    const id = await insertVideoFixture(t.db, { accountId, status: 'processing' })
    await done(1, 'Restrict domains')
    await steps.getByText('As soon as a video is ready.').waitFor()
    await page.getByText('Nothing needs you.').waitFor()
    await t.execute(
      `insert into ingest_progress (video_id, name, part, stage, fraction)
       values (?, '720p', 0, 'running', 0.42)`,
      [id],
    )
    await page.getByRole('progressbar', { name: 'Progress of Opening night' }).waitFor()
    await page.getByText('42%').waitFor()
    // The polled progress says that it is ready; the page then asks for the rest.
    await t.execute(`update video set status = 'ready' where id = ?`, [id])
    await page.getByRole('heading', { name: 'Encoding' }).waitFor({ state: 'hidden' })
    await done(1, 'Copy embed code')
    const embed = await steps.getByRole('link', { name: 'Copy embed code' }).getAttribute('href')
    expect(embed).toBe(`/accounts/${accountId}/videos/${id}/embed`)
    await play('dashboard:4', 'localhost', accountId)
    await play('anna', 'localhost', accountId)
    await done(2, 'Restrict domains')
    await page.getByRole('region', { name: 'Last watched' }).getByText('localhost').waitFor()
    await call('PATCH', '/settings', { version: 1, allowed_domains: ['site.example'] })
    await done(3, 'Add endpoint')
    await steps.getByText('3 of 5 done').click()
    await steps.getByText('Embed it on your site').waitFor()
    const hook = { accountId, url: 'https://127.0.0.1/hook', description: '' }
    const { endpoint } = await t
      .em()
      .transactional((tx) => createEndpoint(tx, t.masterKeys, { ...hook, events: ['video.ready'] }))
    await call('POST', `/v1/webhook-endpoints/${endpoint.id}/test`, {})
    await t.execute(`update webhook_delivery set status = 'delivered' where account_id = ?`, [
      accountId,
    ])
    await done(4, 'Invite')
    await call('POST', '/invitations', { role: 'reader' })
    await waitFor('no first steps', async () => {
      await page.evaluate(comeBackLater)
      return page.getByText('First steps').isHidden()
    })
    // It does not return when a step is undone.
    await t.execute('delete from invitation where account_id = ?', [accountId])
    await page.reload()
    await page.getByText('Nothing needs you.').waitFor()
    expect(await browser.complaints(page)).toEqual([])
    await browser.leave(page)
  }, 60_000)

  it('says what needs a person with one action each, and shows everywhere what is nearly used up', async () => {
    const page = await open('')
    const needs = page.getByRole('region', { name: 'Needs you' }).getByRole('listitem')
    await needs.first().waitFor()
    expect(await needs.count()).toBe(2)
    expect(await page.getByRole('heading', { name: 'First steps' }).count()).toBe(1)
    await needs.getByText('The file has no picture', { exact: false }).waitFor()
    await needs.getByText('Failed attempts in a row: 7').waitFor()
    const bar = page.getByRole('region', { name: 'Plan' }).getByRole('progressbar')
    expect(await bar.count()).toBe(1)
    await page.getByRole('link', { name: /^3 Playing now/ }).click()
    await page.getByRole('heading', { name: 'Playing now' }).waitFor()
    await page.goBack()
    await needs.getByRole('link', { name: 'Open endpoint: https://hooks.example/video' }).click()
    await page.waitForURL(/developers\/webhooks\/\d+$/)
    await page.goBack()
    await needs.getByRole('link', { name: 'Open video: A lecture' }).click()
    await page.getByRole('heading', { name: 'A lecture' }).waitFor()
    const value = await t.startSession(t.members.reader.id)
    const readers = await browser.open(pagesOf(t.accountId), PLAIN, { ...cookie, value })
    await readers.getByRole('heading', { name: 'Needs you' }).waitFor()
    // A reader can do none of the steps.
    expect(await readers.getByRole('heading', { name: 'First steps' }).count()).toBe(0)
    await browser.leave(readers)
    await page.getByRole('navigation').getByRole('link', { name: 'Storage 94%' }).click()
    await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor()
    await browser.leave(page)
  })
})

describe('security events', () => {
  it('are filtered by a click on a value, and Back and reload keep the filter', async () => {
    const page = await open('/security/events')
    await page.getByRole('link', { name: 'mirror.example' }).first().click()
    await page.getByText('Site: mirror.example').waitFor()
    await page.getByText('Site not allowed (8)').waitFor({ state: 'attached' })
    await page.getByLabel('Time', { exact: true }).selectOption('90d')
    await page.waitForURL(/range=90d/)
    await page.reload()
    await page.getByText('Site: mirror.example').waitFor()
    expect(await page.getByRole('link', { name: 'copy.example' }).count()).toBe(0)
    await page.goBack()
    await page.goBack()
    await page.getByRole('link', { name: 'copy.example' }).first().waitFor()
    await page.goForward()
    await page.getByRole('link', { name: 'Remove filter: mirror.example' }).click()
    await page.getByRole('link', { name: 'copy.example' }).first().waitFor()
    expect(await browser.complaints(page)).toEqual([])
    await browser.leave(page)
  }, 60_000)

  it('can be read as a table in the chosen time zone, and saved without formulas', async () => {
    const page = await open('/security/events?range=24h')
    await openTable(page)
    await page.getByText(/^Times in /).waitFor()
    expect(
      await page
        .getByRole('table', { name: 'Security events over time' })
        .locator('tbody tr')
        .count(),
    ).toBe(24)
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    expect((await download).suggestedFilename()).toBe('security-events.csv')
    await browser.leave(page)
  })
})

describe('sessions and viewers', () => {
  it('end a session: it gets no more keys', async () => {
    const session = await play('to-end', 'ended.example')
    const page = await open('/security/playing?viewer=to-end')
    await page.getByRole('link', { name: 'End', exact: true }).click()
    await page.waitForURL(/end=/)
    await page.reload()
    await page.getByRole('button', { name: 'End playback' }).click()
    await page.getByText('Ended. The player stops within a minute.').waitFor()
    await page.getByText('Nothing matches').waitFor()
    const report = { positionMs: 1, watchedMs: null, bytesLoaded: null }
    expect(await recordHeartbeat(t.db, session, 'test', report)).toBeNull()
    await browser.leave(page)
  }, 60_000)

  it('revoke and restore a viewer whose id is hostile text', async () => {
    const page = await open('/security/playing')
    const row = page.locator('tr', { hasText: 'gnp' })
    await row.getByRole('link', { name: 'Revoke viewer' }).click()
    const field = page.getByLabel('Viewer ID')
    expect(await field.inputValue()).toBe(HOSTILE_VIEWER)
    await field.fill('a\u0007b')
    await page.getByRole('button', { name: 'Revoke viewer' }).click()
    await waitFor('the refusal', async () => (await field.getAttribute('aria-invalid')) === 'true')
    await field.fill(HOSTILE_VIEWER)
    await page.getByRole('button', { name: 'Revoke viewer' }).click()
    const revoked = page.locator('tr', { hasText: 'gnp' })
    expect(await revoked.locator('bdi').textContent()).toBe(HOSTILE_VIEWER)
    const viewer = { accountId: t.accountId, viewerId: HOSTILE_VIEWER }
    expect(await t.em().count(RevokedViewer, viewer)).toBe(1)
    await revoked.getByRole('button', { name: 'Restore' }).click()
    await revoked.waitFor({ state: 'detached' })
    expect(await t.em().count(RevokedViewer, viewer)).toBe(0)
    await browser.leave(page)
  }, 60_000)

  it('are only read by a reader', async () => {
    const value = await t.startSession(t.members.reader.id)
    const readers = { name: cookie.name, value }
    const page = await browser.open(`${pagesOf(t.accountId)}/security/playing`, PLAIN, readers)
    await page.locator('tbody tr').first().waitFor()
    expect(await page.getByRole('link', { name: 'End', exact: true }).count()).toBe(0)
    await browser.leave(page)
  })
})

describe('an idle tab', () => {
  const paths = (): string[] => [
    `/videos/${videoId}`,
    '',
    '/videos',
    '/security/events',
    '/security/playing',
    '/security/viewers',
    '/audience',
    '/usage',
    '/plan',
    '/developers',
    '/developers/keys',
    '/developers/webhooks',
    '/developers/deliveries',
    '/developers/replays',
    '/settings/player',
    '/settings/watermark',
    '/settings/domains',
    '/team',
    '/audit',
    '/me',
  ]

  it('sends at most two requests a minute, and a hidden one none', async () => {
    const left = someOf(paths(), 6)
    await Promise.all(
      Array.from({ length: TABS }, async () => {
        const page = await open('/plan')
        await page.clock.install()
        for (let path = left.shift(); path !== undefined; path = left.shift())
          await expectIdle(page, path)
        await page.context().close()
      }),
    )
  }, 120_000)
})

/** Each waits for most of the time, until its network is idle, and has a process of its own. */
const TABS = 2

async function expectIdle(page: Page, path: string): Promise<void> {
  let calls: string[] = []
  const note = (request: Request): void => {
    if (request.url().includes('/api/')) calls.push(request.url())
  }
  page.on('request', note)
  await page.goto(pagesOf(t.accountId) + path)
  await page.locator('h1').waitFor()
  await page.waitForLoadState('networkidle')
  await page.clock.runFor(1_000)
  calls = []
  await page.clock.runFor(59_900)
  expect([path, calls.length <= 2]).toEqual([path, true])
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })
    Object.defineProperty(document, 'hidden', { get: () => true })
    dispatchEvent(new Event('visibilitychange'))
  })
  calls = []
  await page.clock.runFor(180_000)
  expect([path, calls]).toEqual([path, []])
  page.off('request', note)
}
