import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cookieName, openDashboardFixture, type DashboardFixture } from '../fixtures/dashboard.ts'
import { insertLongValues, LONG } from '../fixtures/long-values.ts'
import { insertMembersFixture } from '../fixtures/members.ts'
import { insertVideoFixture } from '../fixtures/video-rows.ts'
import { loadBundledWeb } from '../fixtures/web.ts'
import { HAS_EVERY_CASE } from '../infrastructure/every-case.ts'
import { until } from '../infrastructure/wait-for.ts'
import { axeFaults } from './axe.ts'
import { goWithin, PLAIN, takeScreenshot } from './dashboard-looks.ts'
import { unreadableTexts, watchLayoutShifts } from './page-layout.ts'
import { openWatchedBrowser, type WatchedBrowser } from './watched-browser.ts'

let t: DashboardFixture & { close: () => Promise<void> }
let browser: WatchedBrowser
let page: Page
let videoId: string
/** The token of the owner's session. */
let token: string

beforeAll(async () => {
  const webRouter = await loadBundledWeb()
  browser = await openWatchedBrowser()
  t = await openDashboardFixture(() => ({ webRouter }))
  videoId = (await insertLongValues(t)).videoId
  const name = cookieName(t.dashboardBase)
  token = await t.startSession(t.members.owner.id)
  const cookie = { name, value: token }
  page = await browser.open(`${t.dashboardBase}/accounts/${t.accountId}/usage`, PLAIN, cookie)
}, 120_000)

afterAll(async () => {
  await browser?.close()
  await t?.close()
})

/** Every table of the app, and the pages that show a name or a title at length. */
const pages = (): [name: string, path: string, shown: string][] => [
  ['events', '/security/events', 'tbody tr'],
  ['playing', '/security/playing', 'tbody tr'],
  ['viewers', '/security/viewers', 'tbody tr'],
  ['videos', '/videos', '[data-item]'],
  ['video', `/videos/${videoId}`, 'dl'],
  ['keys', '/developers/keys', 'tbody tr'],
  ['edited video', `/videos/${videoId}?edit=1`, 'form select'],
  ['endpoints', '/developers/webhooks', 'tbody tr'],
  ['deliveries', '/developers/deliveries', 'tbody tr'],
  ['replays', '/developers/replays', 'tbody tr'],
  ['team', '/team', 'section tbody tr'],
  ['audit', '/audit', 'tbody tr'],
  ['plan', '/plan', 'tbody tr'],
]

async function takeScreenshotAt(name: string, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 800 })
  await takeScreenshot(page, name, { ...PLAIN, width })
}

/** Videos from the oldest to the newest. */
async function insertNumbered(count: number): Promise<string[]> {
  const ids: string[] = []
  for (let number = 1; number <= count; number += 1)
    ids.push(
      await insertVideoFixture(t.db, { accountId: t.accountId, title: `Numbered ${number}` }),
    )
  return ids
}

/** The narrowest column in which a long value can be read. */
const READABLE_PX = 112

/** What cannot be read or reached on the page, in words. */
function unreadable(readablePx: number): string[] {
  const faults: string[] = []
  const { scrollWidth, clientWidth } = document.documentElement
  if (scrollWidth > clientWidth) faults.push(`the page is ${scrollWidth} px wide`)
  const textOf = (element: Element): string => element.textContent.trim().slice(0, 30)
  for (const cell of document.querySelectorAll<HTMLElement>('tbody :is(td, th):not([data-lead])')) {
    const box = cell.getBoundingClientRect()
    // As it is seen: on wide screens the heading of the cell is not.
    if (cell.innerText.length > 16 && box.width > 0 && box.width < readablePx)
      faults.push(`a column of ${Math.round(box.width)} px: ${textOf(cell)}`)
    const frame = cell.closest('table')?.parentElement
    const edge = frame?.getBoundingClientRect().right ?? 0
    const canScroll = frame && getComputedStyle(frame).overflowX === 'auto'
    if (box.right > edge + 1 && !canScroll) faults.push(`out of reach: ${textOf(cell)}`)
    if (cell.scrollWidth > cell.clientWidth + 1) faults.push(`beside its column: ${textOf(cell)}`)
  }
  for (const element of document.querySelectorAll<HTMLElement>('main *')) {
    const isCut = element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1
    if (!isCut || getComputedStyle(element).overflowX !== 'hidden') continue
    const hint = element.closest<HTMLElement>('[title]')?.title ?? ''
    if (!hint.includes(element.textContent)) faults.push(`cut without a hint: ${textOf(element)}`)
  }
  return faults
}

/** From top to bottom: the levels of the headings and the links to the pages around this one. */
const orderOf = (): string[] =>
  [...document.querySelectorAll('main :is(nav, h1, h2, h3, h4)')]
    .filter((element) => element.tagName !== 'NAV' || element.querySelector('[aria-current], ol'))
    .map((element) => [element.getBoundingClientRect().top, element.tagName] as const)
    .toSorted(([one], [other]) => one - other)
    .map(([, name]) => name)

/** What has moved on the page since it was opened, without being asked to. */
const shiftsOf = (): Promise<string[]> =>
  new Promise((resolve) => {
    const found: string[] = []
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & Shift)[])
        if (!entry.hadRecentInput && entry.value > 0.001)
          found.push(
            ...entry.sources.map(({ node }) => `${entry.value} ${node?.outerHTML.slice(0, 90)}`),
          )
    }).observe({ type: 'layout-shift', buffered: true })
    requestAnimationFrame(() => setTimeout(() => resolve(found), 50))
  })

interface Shift {
  value: number
  hadRecentInput: boolean
  sources: { node?: Element }[]
}

/** Goes to another page within the app, and waits until the former one is gone. */
async function show(path: string, shown: string): Promise<void> {
  await page
    .locator('[data-page-heading]')
    .evaluateAll((headings) =>
      headings.forEach((heading) => heading.setAttribute('data-former', '')),
    )
  await goWithin(page, `/accounts/${t.accountId}${path}`)
  await page.locator('[data-page-heading][data-former]').waitFor({ state: 'detached' })
  await page.locator(`main ${shown}`).filter({ visible: true }).first().waitFor()
}

describe('every page', () => {
  // First: of what a page has loaded before, the browser says how that was asked for.
  it('asks for its code and its words at once, not one after the other', async () => {
    const late: unknown[] = []
    for (const path of ['/videos', '/team', '/audit', '/usage', '/security/events', '/me']) {
      await page.goto(`${t.dashboardBase}/accounts/${t.accountId}${path}`)
      await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
      const scripts = await page.evaluate(() => {
        const shownAt = performance.now()
        return performance
          .getEntriesByType('resource')
          .map((entry) => entry.toJSON())
          .filter(({ name, startTime }) => name.endsWith('.js') && startTime < shownAt)
          .map(({ name, initiatorType }) => `${initiatorType} ${new URL(name).pathname}`)
      })
      const found = scripts.filter((text) => /^script .*(-page|-frame|en)-/.test(text))
      if (found.length > 0) late.push([path, found])
    }
    expect(late).toEqual([])
  }, 60_000)

  it('asks for its rows while its code loads, if it is a list', async () => {
    const lists = { videos: 'videos?', team: 'members?', audit: 'audit?', usage: 'v1/usage' }
    for (const [name, data] of Object.entries(lists)) {
      const asked = page.waitForRequest((request) => request.url().includes(`/${data}`))
      const holdCode = async (held: Route): Promise<void> => {
        await asked
        await held.continue()
      }
      await page.route(`**/assets/${name}-page-*.js`, holdCode, { times: 1 })
      await page.goto(`${t.dashboardBase}/accounts/${t.accountId}/${name}`)
      await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
      await page.unroute(`**/assets/${name}-page-*.js`)
    }
  })

  it('says without JavaScript what it needs, in the language of the person', async () => {
    const headers = { 'Accept-Language': 'de' }
    const response = await t.send('GET', `/accounts/${t.accountId}/videos`, { headers, token })
    const [, text = ''] = /<noscript>(.*?)<\/noscript>/s.exec(await response.text()) ?? []
    expect(text).toContain('<main>')
    expect(text).toContain('JavaScript')
    expect(text).toContain('Das Dashboard')
  })

  it('has a heading within main, and the navigation, also at an unknown address', async () => {
    const address = (path: string): string => `/accounts/${t.accountId}${path}`
    const opens = [
      () => goWithin(page, address('/nothing-here')),
      () => goWithin(page, address('/videos/add/nothing')),
      () => page.goto(t.dashboardBase + address('/nothing-here')),
    ]
    for (const open of opens) {
      await open()
      await page
        .getByRole('main')
        .getByRole('heading', { level: 1, name: 'There is nothing at' })
        .waitFor()
      await page.getByRole('navigation').getByRole('link', { name: 'Videos' }).waitFor()
      expect(await page.getByRole('main').count()).toBe(1)
      expect(await page.title()).toContain('There is nothing at')
      expect(await browser.axe(page)).toEqual([])
    }
    await page.goto(`${t.dashboardBase}/accounts/${t.accountId}/usage`)
    await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor()
  })

  it('has one first heading, then the tabs of its area, then its own headings', async () => {
    const [endpoint] = await t.execute<{ id: number }>('select id from webhook_endpoint')
    const onePage = `/developers/webhooks/${endpoint?.id}`
    const orders: Record<string, string[]> = {}
    for (const [path, shown] of [
      ['/settings/player', 'form h3'],
      ['/usage', 'h2'],
      ['/plan', 'tbody tr'],
      ['/security/viewers', 'tbody tr'],
      ['/developers', 'h3'],
      ['/developers/keys', 'tbody tr'],
      [onePage, 'dl'],
      ['/team', 'section tbody tr'],
    ] as const) {
      await show(path, shown)
      orders[path] = (await page.evaluate(orderOf)).slice(0, 3)
      expect([path, await page.locator('main h1').count()]).toEqual([path, 1])
      expect([path, await axeFaults(page, 'all', { runOnly: ['heading-order'] })]).toEqual([
        path,
        [],
      ])
    }
    const area = ['H1', 'NAV', 'H2']
    expect(orders).toEqual({
      '/settings/player': area,
      '/usage': area,
      '/plan': area,
      '/security/viewers': area,
      '/developers': area,
      '/developers/keys': area,
      [onePage]: ['NAV', 'H1', 'H2'],
      '/team': ['H1', 'H2'],
    })
  }, 60_000)

  it('says the heading of the page when a tab of its area is chosen, and leaves the focus there', async () => {
    await show('/developers/keys', 'tbody tr')
    const tab = page.getByRole('main').getByRole('link', { name: 'Webhooks' })
    await tab.press('Enter')
    await page.getByRole('heading', { level: 2, name: 'Webhook endpoints' }).waitFor()
    await page.locator('output[aria-live]').getByText('Webhook endpoints').waitFor()
    expect(await tab.evaluate((one) => one === document.activeElement)).toBe(true)
    expect(await page.title()).toBe('Webhook endpoints · Developers · Reelgate')
  })

  it('has links and buttons that a finger can hit', async () => {
    const faults: unknown[] = []
    for (const [name, path, shown] of pages()) {
      await show(path, shown)
      const found = await axeFaults(page, 'all', { runOnly: ['target-size'] })
      if (found.length > 0) faults.push([name, found])
    }
    expect(faults).toEqual([])
  }, 60_000)
})

describe('the navigation', () => {
  it('has the areas in groups, and marks the open one, also on the page of the plan', async () => {
    await page.setViewportSize({ width: 1280, height: 800 })
    await show('/team', 'tbody tr')
    await show('/plan', 'tbody tr')
    const areas = page.getByRole('navigation', { name: 'Areas' })
    const groups: Record<string, string[]> = {}
    for (const list of await areas.getByRole('list').all()) {
      const name = (await list.getAttribute('aria-label')) ?? (await list.locator('..').innerText())
      groups[name.split('\n')[0] ?? ''] = await list.getByRole('listitem').allInnerTexts()
    }
    expect(groups).toEqual({
      Work: ['Overview', 'Videos'],
      Integration: ['Developers', 'Security'],
      Account: ['Settings', 'Usage', 'Team', 'Audit log'],
    })
    const open = areas.locator('[aria-current=page]')
    expect(await open.allInnerTexts()).toEqual(['Usage'])
    const colour = (of: string) =>
      open.evaluate((link, name) => getComputedStyle(link)[name as 'color'], of)
    expect(await colour('color')).toBe('rgb(13, 100, 83)')
    expect(await browser.axe(page)).toEqual([])
  })

  it('is a low bar with the search on a phone', async () => {
    await page.setViewportSize({ width: 360, height: 800 })
    const menu = page.getByRole('button', { name: 'Open menu' })
    const bar = await menu.locator('..').boundingBox()
    expect(bar?.height).toBe(48)
    await page.getByRole('button', { name: 'Search or go to' }).click()
    await page.getByRole('combobox').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })
})

describe('a table of more than four columns', () => {
  const column = (name: string) => page.getByRole('columnheader', { name, exact: true })
  const choices = () => page.getByRole('button', { name: 'Columns and row height' })

  it('keeps its head in view, and which columns and what height were chosen', async () => {
    await page.setViewportSize({ width: 1440, height: 420 })
    await show('/security/events', 'tbody tr')
    const rows = page.getByRole('table', { name: 'Security events' }).locator('tbody tr')
    const rowHeight = () => rows.first().evaluate((row) => row.getBoundingClientRect().height)
    const before = await rowHeight()
    await choices().press('Enter')
    await page.getByRole('dialog').getByLabel('Viewer').uncheck()
    await page.getByLabel('Row height', { exact: true }).selectOption('Compact')
    expect(await browser.axe(page)).toEqual([])
    await page.keyboard.press('Escape')
    await until(() => choices().evaluate((one) => one === document.activeElement), 5_000)
    await page.reload()
    await rows.first().waitFor()
    expect(await column('Viewer').count()).toBe(0)
    expect(await column('Site').count()).toBe(1)
    expect(await rowHeight()).toBeLessThan(before)
    await rows.locator('..').evaluate((body) => {
      // Rows enough to scroll.
      for (let count = 0; count < 20; count += 1)
        body.append(body.firstElementChild?.cloneNode(true) ?? '')
      scrollTo(0, document.body.scrollHeight)
    })
    await until(
      () => column('Site').evaluate((head) => Math.abs(head.getBoundingClientRect().top) < 1),
      5_000,
    )
    await page.reload()
    await choices().press('Enter')
    await page.getByRole('dialog').getByLabel('Viewer').check()
    await page.getByLabel('Row height', { exact: true }).selectOption('Comfortable')
    await column('Viewer').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await browser.complaints(page)).toEqual([])
  }, 60_000)
})

describe('a page that waits for its data', () => {
  it('moves nothing when they come', async () => {
    await page.setViewportSize({ width: 1280, height: 800 })
    const moved: unknown[] = []
    const paths = ['/developers/keys', '/team', '/audit', '/security/viewers', '/usage', '/plan']
    for (const path of paths) {
      const gate = Promise.withResolvers<void>()
      // The account is known in the whole frame before its lists are.
      await page.route(/\/api\/accounts\/\d+\/(?!me$|overview)/, async (route) => {
        await gate.promise
        await route.continue()
      })
      await page.goto(`${t.dashboardBase}/accounts/${t.accountId}${path}`)
      await page.locator('main .mantine-Skeleton-root').first().waitFor()
      gate.resolve()
      await page.locator('main .mantine-Skeleton-root').first().waitFor({ state: 'detached' })
      const shifts = await page.evaluate(shiftsOf)
      if (shifts.length > 0) moved.push([path, shifts])
      await page.unrouteAll({ behavior: 'wait' })
    }
    expect(moved).toEqual([])
  }, 60_000)
})

describe('the keys J and K', () => {
  it('are kept while the neighbours of a row load', async () => {
    const [first, , third] = await insertNumbered(3)
    await show(`/videos?q=Numbered`, '[data-item]')
    const gate = Promise.withResolvers<void>()
    const asksForNeighbour = ({ searchParams }: URL): boolean => searchParams.get('limit') === '1'
    const asked = page.waitForRequest((request) => asksForNeighbour(new URL(request.url())))
    await page.route(asksForNeighbour, async (route) => {
      await gate.promise
      await route.continue()
    })
    await page.getByRole('link', { name: 'Numbered 3' }).click()
    // Where it rests on no link of the later pages, whose data would be asked for.
    await page.mouse.move(0, 0)
    await page.waitForURL(`**/videos/${third}?**`)
    await page.getByRole('heading', { name: 'Numbered 3' }).waitFor()
    await asked
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    gate.resolve()
    await page.waitForURL(`**/videos/${first}?**`)
    await page.unrouteAll({ behavior: 'wait' })
  }, 60_000)
})

describe('values as long as their fields allow', () => {
  it('leave every column readable, everything in reach and no page wider than its window', async () => {
    const faults: unknown[] = []
    for (const [name, path, shown] of pages()) {
      await show(path, shown)
      for (const width of [360, 1024, 1440]) {
        await page.setViewportSize({ width, height: 800 })
        const read = () => page.evaluate(unreadable, READABLE_PX)
        await until(async () => (await read()).length === 0, 1_000).catch(() => {})
        await takeScreenshot(page, `long ${name}`, { ...PLAIN, width })
        const found = await read()
        if (found.length > 0) faults.push([name, width, found])
      }
    }
    expect(faults).toEqual([])
    expect(await browser.complaints(page)).toEqual([])
  }, 120_000)

  it('take few lines in the audit log and on the overview, and leave filters their width', async () => {
    await page.setViewportSize({ width: 1440, height: 800 })
    for (const [path, shown] of [
      ['/audit', 'tbody tr'],
      ['', 'section [data-long-text]'],
    ] as const) {
      await show(path, shown)
      const heights = await page
        .locator('main [data-long-text], main del, main ins')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height))
      expect(Math.max(...heights)).toBeLessThan(100)
    }
    await page.setViewportSize({ width: 960, height: 800 })
    for (const [path, shown] of [
      ['/audit', 'tbody tr'],
      ['/videos', '[data-item]'],
    ] as const) {
      await show(path, shown)
      const widths = await page
        .locator('main select')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width))
      expect(Math.max(...widths)).toBeLessThanOrEqual(320)
    }
  })

  it('are cut in the middle, and copied whole', async () => {
    await page.setViewportSize({ width: 1024, height: 800 })
    await show('/security/events', 'tbody tr')
    const value = page.getByRole('link', { name: LONG.viewerId })
    const { x, width } = (await value.boundingBox()) ?? { x: 0, width: 0 }
    expect(width).toBeLessThan(200)
    const seen = await value.getByText(LONG.viewerId.slice(-5), { exact: true }).boundingBox()
    expect((seen?.x ?? 0) + (seen?.width ?? Infinity)).toBeLessThanOrEqual(x + width + 1)
    const copied = await page.evaluate(
      ([row]) => {
        getSelection()?.selectAllChildren(row ?? document.body)
        return new Promise<string>((resolve) => {
          addEventListener('copy', ({ clipboardData }) =>
            resolve(clipboardData?.getData('text/plain') ?? ''),
          )
          document.execCommand('copy')
        })
      },
      [await page.getByRole('row').filter({ visible: true }).last().elementHandle()],
    )
    for (const whole of [LONG.title, LONG.viewerId, LONG.host]) expect(copied).toContain(whole)
  })
})

describe('the members and the own sessions', () => {
  it('have pages and a search in the address, as other lists have', async () => {
    await insertMembersFixture(t.db, t.accountId, 30)
    for (let count = 0; count < 12; count += 1) await t.startSession(t.members.owner.id)
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto(`${t.dashboardBase}/accounts/${t.accountId}/team`)
    const rows = page.getByRole('table', { name: 'Team' }).locator('tbody tr')
    await until(async () => (await rows.count()) === 25, 5_000)
    await page.getByRole('link', { name: 'Next page' }).click()
    await page.waitForURL('**/team?after=*')
    await until(async () => (await rows.count()) === 9, 5_000)
    await page.getByLabel('Search name or address').fill('editor@')
    await page.waitForURL('**/team?q=editor%40')
    await until(async () => (await rows.count()) === 1, 5_000)
    for (const width of [360, 768, 1280]) await takeScreenshotAt('team search', width)
    await page.getByLabel('Search name or address').fill('nobody at all')
    await page.getByText('No member matches.').waitFor()
    await show('/me', 'li')
    const ends = page.getByRole('button', { name: 'Sign out: Unknown browser' })
    await until(async () => (await ends.count()) >= 9, 5_000)
    await page.getByRole('link', { name: 'Next page' }).click()
    await until(async () => [3, 4].includes(await ends.count()), 5_000)
    for (const width of [360, 768, 1280]) await takeScreenshotAt('sessions', width)
    expect(await browser.axe(page)).toEqual([])
    expect(await browser.complaints(page)).toEqual([])
  }, 60_000)
})

/** The pages of every day, and what shows that each has its data. */
const daily = (): [path: string, shown: string][] => [
  ['', 'section'],
  ['/videos', 'ul li'],
  [`/videos/${videoId}`, 'dl'],
  ['/settings/player', 'form'],
  ['/developers/webhooks', 'tbody tr'],
  ['/security/events', 'tbody tr'],
  ['/usage', 'section'],
  ['/team', 'section tbody tr'],
  ['/audit', 'tbody tr'],
]

const WIDTHS = [360, 1440]

/** Loads a page at a width; resolves to what moved meanwhile, and what axe finds. */
async function loadAt(path: string, shown: string, width: number): Promise<string[]> {
  await page.setViewportSize({ width, height: 800 })
  await page.goto(`${t.dashboardBase}/accounts/${t.accountId}${path}`)
  await page.locator(`main ${shown}`).filter({ visible: true }).first().waitFor()
  await page.waitForLoadState('networkidle')
  const shifts = await page.evaluate<string[]>('layoutShifts')
  return [...shifts.map((shift) => `moved at ${width}: ${shift}`), ...(await browser.axe(page))]
}

describe('the pages of every day', () => {
  it('have no text above another or outside of its frame, do not move while they load, and break no rule of axe', async () => {
    await page.addInitScript(watchLayoutShifts)
    const faults: unknown[] = []
    for (const [index, [path, shown]] of daily().entries()) {
      const found: string[] = []
      // The widths take turns.
      const loadedAt = HAS_EVERY_CASE ? WIDTHS : [WIDTHS[index % 2] ?? 360]
      for (const width of loadedAt) found.push(...(await loadAt(path, shown, width)))
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 })
        const read = () => page.evaluate(unreadableTexts)
        await until(async () => (await read()).length === 0, 1_000).catch(() => {})
        found.push(...(await read()).map((fault) => `at ${width}: ${fault}`))
      }
      if (found.length > 0) faults.push([path, found])
    }
    expect(faults).toEqual([])
    expect(await browser.complaints(page)).toEqual([])
  }, 120_000)
})

// The browser logs each response with an error, so this is last.
describe('a page of which one request fails while the server responds', () => {
  it('says so, and asks again only when it is told to', async () => {
    let asked = 0
    let healthy = 0
    const pattern = /\/v1\/usage$/
    page.on('response', (response) => {
      if (response.url().endsWith('/healthz')) healthy += 1
    })
    await page.route(pattern, (route) => {
      asked += 1
      return route.fulfill({
        status: 503,
        json: { error: { code: 'service_unavailable', message: 'Later.', request_id: 'req_1' } },
      })
    })
    await page.goto(`${t.dashboardBase}/accounts/${t.accountId}/usage`)
    // The query asks three times. The server says that it is there, the query asks three times more, and the server says it again.
    await until(() => healthy === 2)
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await until(async () => (await page.locator('output').first().textContent()) === '')
    expect(asked).toBe(6)
    await page.unroute(pattern)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Served per day').first().waitFor()
  })
})
