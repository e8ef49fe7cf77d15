import { isDeepStrictEqual } from 'node:util'
import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PREFERENCES } from '../../dashboard/web/preferences.ts'
import { cookieName, openDashboardFixture, type DashboardFixture } from '../fixtures/dashboard.ts'
import { insertLongValues, LONG } from '../fixtures/long-values.ts'
import { insertMembersFixture } from '../fixtures/members.ts'
import { insertVideoFixture } from '../fixtures/video-rows.ts'
import { loadBundledWeb } from '../fixtures/web.ts'
import { HAS_EVERY_CASE } from '../infrastructure/every-case.ts'
import { until } from '../infrastructure/wait-for.ts'
import { axeFaults } from './axe.ts'
import {
  checkViews,
  goWithin,
  leaveFor,
  PLAIN,
  takeScreenshot,
  VIEWS_WITHIN_MS,
} from './dashboard-looks.ts'
import { hastenTimers } from './hasten-timers.ts'
import { unreadableTexts, watchLayoutShifts } from './page-layout.ts'
import { openWatchedBrowser, type WatchedBrowser } from './watched-browser.ts'

let t: DashboardFixture & { close: () => Promise<void> }
let browser: WatchedBrowser
let page: Page
let videoId: string
/** The path of an endpoint. */
let endpoint: string
/** The token of the owner's session. */
let token: string

beforeAll(async () => {
  const webRouter = await loadBundledWeb()
  browser = await openWatchedBrowser()
  t = await openDashboardFixture(() => ({ webRouter }))
  videoId = (await insertLongValues(t)).videoId
  const [row] = await t.execute<{ id: number }>('select id from webhook_endpoint')
  endpoint = `/developers/webhooks/${row?.id}`
  const name = cookieName(t.dashboardBase)
  token = await t.startSession(t.members.owner.id)
  const cookie = { name, value: token }
  page = await browser.open(`${t.dashboardBase}/accounts/${t.accountId}/usage`, PLAIN, cookie)
}, 120_000)

afterAll(async () => {
  await browser?.close()
  await t?.close()
})

/** A page, what shows that it has its data, and what the walk looks at there. */
interface Stop {
  name: string
  path: string
  shown: string
  /** What its headings and the links to the pages around it are, from top to bottom. */
  order?: string[]
  /** A page of every day: it is loaded at a width of its own. */
  isDaily?: true
  /** It is loaded while its data are held back. */
  isHeld?: true
  /** Requests whose responses come after the page is shown. */
  late?: RegExp
}

/** The order in an area with tabs. */
const AREA = ['H1', 'NAV', 'H2']

/** Every table of the app, the pages that show a name or a title at length, those of every day, and one of each order. */
const stops = (): Stop[] => [
  { name: 'overview', path: '', shown: 'section', isDaily: true },
  { name: 'events', path: '/security/events', shown: 'tbody tr', isDaily: true },
  { name: 'playing', path: '/security/playing', shown: 'tbody tr' },
  { name: 'viewers', path: '/security/viewers', shown: 'tbody tr', order: AREA, isHeld: true },
  { name: 'videos', path: '/videos', shown: '[data-item]', isDaily: true, late: /\/folders/ },
  { name: 'video', path: `/videos/${videoId}`, shown: 'dl', isDaily: true },
  { name: 'audience', path: '/audience', shown: 'canvas', order: AREA, isDaily: true },
  { name: 'counted viewers', path: '/audience/viewers', shown: 'tbody tr', isHeld: true },
  {
    name: 'viewer',
    path: `/audience/viewer?id=${LONG.viewerId}`,
    shown: 'section ~ section tbody tr',
    order: ['NAV', 'H1', 'H2'],
  },
  {
    name: 'audience of a video',
    path: `/videos/${videoId}/audience`,
    shown: 'input[type=range]',
    isDaily: true,
  },
  { name: 'player', path: '/settings/player', shown: 'form h3', order: AREA, isDaily: true },
  { name: 'developers', path: '/developers', shown: 'h3', order: AREA },
  { name: 'keys', path: '/developers/keys', shown: 'tbody tr', order: AREA, isHeld: true },
  { name: 'edited video', path: `/videos/${videoId}?edit=1`, shown: 'form select' },
  { name: 'endpoints', path: '/developers/webhooks', shown: 'tbody tr', isDaily: true },
  { name: 'endpoint', path: endpoint, shown: 'dl', order: ['NAV', 'H1', 'H2'] },
  { name: 'deliveries', path: '/developers/deliveries', shown: 'tbody tr' },
  { name: 'replays', path: '/developers/replays', shown: 'tbody tr' },
  { name: 'usage', path: '/usage', shown: 'h2', order: AREA, isDaily: true, isHeld: true },
  { name: 'plan', path: '/plan', shown: 'tbody tr', order: AREA, isHeld: true },
  {
    name: 'team',
    path: '/team',
    shown: 'section tbody tr',
    order: ['H1', 'H2'],
    isDaily: true,
    isHeld: true,
  },
  { name: 'audit', path: '/audit', shown: 'tbody tr', isDaily: true, isHeld: true },
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

const addressOf = (path: string): string => `${t.dashboardBase}/accounts/${t.accountId}${path}`

/** Goes to another page within the app, and waits until it has its data. */
async function show(path: string, shown: string): Promise<void> {
  await leaveFor(page, addressOf(path))
  await untilShown(shown)
}

const CHOSEN = { [PREFERENCES.colorScheme]: 'dark', [PREFERENCES.language]: 'ar' }

const untilShown = (shown: string): Promise<void> =>
  page.locator(`main ${shown}`).filter({ visible: true }).first().waitFor()

describe('every page', () => {
  // First: of what a page has loaded before, the browser says how that was asked for.
  it('asks for its code and its words at once, not one after the other, and while its code loads for its rows, if it is a list', async () => {
    const late: unknown[] = []
    const lists = {
      videos: 'videos?',
      audience: 'v1/audience?',
      team: 'members?',
      audit: 'audit?',
      usage: 'v1/usage',
    }
    const others = [
      'security/events',
      'security/why',
      'audience/viewers',
      'audience/viewer?id=v',
      'me',
    ]
    for (const path of [...others, ...Object.keys(lists)]) {
      const data = Object.entries(lists).find(([list]) => list === path)?.[1]
      if (data !== undefined) await holdCode(path, data)
      await page.goto(addressOf(`/${path}`))
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
      await page.unrouteAll({ behavior: 'wait' })
    }
    expect(late).toEqual([])
  }, 60_000)

  /** Holds the code of a page back until the page has asked for its rows. */
  async function holdCode(list: string, data: string): Promise<void> {
    const asked = page.waitForRequest((request) => request.url().includes(`/${data}`))
    const hold = async (held: Route): Promise<void> => {
      await asked
      await held.continue()
    }
    await page.route(`**/assets/${list}-page-*.js`, hold, { times: 1 })
  }

  it('has the colours, the language and the direction that were chosen before a file of the app has come', async () => {
    const own = await openOwn()
    await own.evaluate((chosen) => {
      for (const [name, value] of Object.entries(chosen)) localStorage.setItem(name, value)
    }, CHOSEN)
    await own.route('**/assets/**', (route) => route.abort())
    await own.goto(addressOf('/usage'))
    expect(await lookOf(own)).toEqual(['ar', 'rtl', 'dark'])
    await browser.leave(own)
  })

  it('runs the one script that is in it, and no other that an attacker gets into it', async () => {
    const own = await openOwn()
    await own.route(addressOf('/usage'), async (route) => {
      const response = await route.fetch()
      const html = await response.text()
      await route.fulfill({
        response,
        body: html.replace('<script>', (own) => attacks(html) + own),
      })
    })
    await own.goto(addressOf('/usage'))
    await own.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
    await own.evaluate(() => document.body.setAttribute('onclick', 'ran = true'))
    await own.locator('body').click({ position: { x: 1, y: 1 } })
    expect(await own.evaluate(() => 'ran' in globalThis)).toBe(false)
    const refused = (await browser.complaints(own)).filter((text) => text.startsWith('script-src'))
    const kinds = refused.map((text) => text.replace(/:.*/s, ''))
    expect(kinds.filter((kind) => kind === 'script-src-attr')).toHaveLength(2)
    expect(kinds.filter((kind) => kind === 'script-src-elem')).toHaveLength(4)
    expect(await lookOf(own)).toEqual(['en', 'ltr', 'light'])
    await browser.leave(own)
  })

  it('stays in use after an update of the server that has other files, and offers to load all again where it needs one', async () => {
    const own = await openOwn()
    const gone = (route: Route): Promise<void> => route.fulfill({ status: 404, body: '' })
    await own.route('**/assets/**', gone)
    await own.getByRole('link', { name: 'Overview', exact: true }).click()
    await own.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await own.getByRole('link', { name: 'Team', exact: true }).click()
    const again = own.getByRole('button', { name: 'Try again' })
    await again.waitFor()
    await own.unroute('**/assets/**', gone)
    await again.click()
    await own.locator('main tbody tr').first().waitFor()
    await browser.leave(own)
  })

  /** Opens a page that the other tests do not use. */
  const openOwn = (): Promise<Page> =>
    browser.open(addressOf('/usage'), PLAIN, { name: cookieName(t.dashboardBase), value: token })

  const lookOf = (own: Page) =>
    own.evaluate(() => {
      const { lang, dir, dataset } = document.documentElement
      return [lang, dir, dataset.mantineColorScheme]
    })

  /** Scripts in a page that are not its own: also with the nonce of its styles, and with its own as the beginning. */
  function attacks(html: string): string {
    const [, nonce = ''] = /name="style-nonce" nonce="([^"]+)"/.exec(html) ?? []
    const [, text = ''] = /<script>(.*?)<\/script>/s.exec(html) ?? []
    return [
      '<script>ran = true</script>',
      `<script nonce="${nonce}">ran = true</script>`,
      `<script>${text};ran = true</script>`,
      '<script src="data:text/javascript,ran = true"></script>',
      '<img src="data:," onerror="ran = true">',
    ].join('')
  }

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

  it('says the heading of the page when a tab of its area is chosen, and leaves the focus there', async () => {
    await show('/developers/keys', 'tbody tr')
    const tab = page.getByRole('main').getByRole('link', { name: 'Webhooks' })
    await tab.press('Enter')
    await page.getByRole('heading', { level: 2, name: 'Webhook endpoints' }).waitFor()
    await page.locator('output[aria-live]').getByText('Webhook endpoints').waitFor()
    expect(await tab.evaluate((one) => one === document.activeElement)).toBe(true)
    expect(await page.title()).toBe('Webhook endpoints · Developers · Reelgate')
  })
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
      Work: ['Overview', 'Videos', 'Audience'],
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

describe('the pages with values as long as their fields allow, in German and in Arabic', () => {
  it(
    'fit, break no rule of axe and obey the policy',
    async () => {
      const cookie = { name: cookieName(t.dashboardBase), value: token }
      const views = stops().map(({ name, path, shown }) => ({
        name: `long ${name}`,
        path,
        shown: `main ${shown}`,
        isPage: true,
      }))
      await checkViews(views, { browser, base: addressOf(''), cookie })
    },
    VIEWS_WITHIN_MS,
  )
})

/** The faults of all pages, by the rule that they break. */
interface Faults {
  heading: unknown[]
  axe: unknown[]
  moved: unknown[]
  texts: unknown[]
  long: unknown[]
}

const LOADED_WIDTHS = [360, 1440]
const WIDTHS = [360, 1024, 1440]

/**
 * Loads a page at a width; resolves to what has moved meanwhile. The data of a page that is held come after the frame of
 * the app has the account.
 */
async function load({ name, path, shown, isHeld, late }: Stop, width: number): Promise<string[]> {
  await page.setViewportSize({ width, height: 800 })
  const gate = Promise.withResolvers<void>()
  const held = isHeld ? /\/api\/accounts\/\d+\/(?!me$|overview)/ : late
  if (held)
    await page.route(held, async (route) => {
      await gate.promise
      await route.continue()
    })
  await page.goto(addressOf(path))
  const skeleton = page.locator('main .mantine-Skeleton-root').first()
  if (isHeld) await skeleton.waitFor()
  else await untilShown(shown)
  gate.resolve()
  await skeleton.waitFor({ state: 'detached' })
  await untilShown(shown)
  await page.unrouteAll({ behavior: 'wait' })
  await page.waitForLoadState('networkidle')
  const shifts = await page.evaluate<string[]>('layoutShifts')
  return shifts.map((shift) => `${name} at ${width}: ${shift}`)
}

/** What axe finds: on a page that was loaded by all of its rules, on others by those of tables and lists. */
const axeOf = ({ isDaily }: Stop): Promise<string[]> =>
  isDaily
    ? axeFaults(page, 'all', { rules: { 'target-size': { enabled: true } } })
    : axeFaults(page, 'all', { runOnly: ['target-size', 'heading-order'] })

async function lookAt({ name, order, isDaily }: Stop, faults: Faults): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 })
    const readTexts = () =>
      isDaily && LOADED_WIDTHS.includes(width) ? page.evaluate(unreadableTexts) : []
    const read = async () => ({
      texts: await readTexts(),
      long: await page.evaluate(unreadable, READABLE_PX),
    })
    // A busy browser lays the page out some time after the new size.
    let { texts, long } = await read()
    const isFine = async () => {
      if (texts.length + long.length === 0) return true
      ;({ texts, long } = await read())
      return false
    }
    await until(isFine, 10_000).catch(() => {})
    await takeScreenshot(page, `long ${name}`, { ...PLAIN, width })
    if (texts.length > 0) faults.texts.push([name, width, texts])
    if (long.length > 0) faults.long.push([name, width, long])
  }
  const headings = await page.evaluate(orderOf)
  const first = await page.locator('main h1').count()
  if (order && (first !== 1 || !isDeepStrictEqual(headings.slice(0, 3), order)))
    faults.heading.push([name, first, headings])
}

/** Goes through all pages once, and looks at each for all rules. */
async function walk(): Promise<Faults> {
  const faults: Faults = { heading: [], axe: [], moved: [], texts: [], long: [] }
  for (const [index, stop] of stops().entries()) {
    const isLoaded = stop.isDaily === true || stop.isHeld === true
    // The widths take turns.
    const inTurn = LOADED_WIDTHS.filter((_, turn) => turn === index % LOADED_WIDTHS.length)
    for (const width of HAS_EVERY_CASE && isLoaded ? LOADED_WIDTHS : inTurn) {
      if (isLoaded) faults.moved.push(...(await load(stop, width)))
      else await show(stop.path, stop.shown)
      faults.axe.push(...(await axeOf(stop)).map((fault) => [stop.name, fault]))
    }
    await lookAt(stop, faults)
  }
  return faults
}

describe('the pages of every day, all tables, and values as long as their fields allow', () => {
  let faults: Faults

  beforeAll(async () => {
    await page.addInitScript(watchLayoutShifts)
    faults = await walk()
  }, 240_000)

  it('have one first heading, then the tabs of their area, then their own headings', () => {
    expect(faults.heading).toEqual([])
  })

  it('break no rule of axe, and have links and buttons that a finger can hit', async () => {
    expect(faults.axe).toEqual([])
    expect(await browser.complaints(page)).toEqual([])
  })

  it('do not move while they load, nor when data come that were late', () => {
    expect(faults.moved).toEqual([])
  })

  it('have no text above another or outside of its frame', () => {
    expect(faults.texts).toEqual([])
  })

  it('leave every column readable, everything in reach and no page wider than its window', () => {
    expect(faults.long).toEqual([])
  })
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

  it('that are too long for an entry of the audit log are shown by how many there were, and by their ids', async () => {
    await page.setViewportSize({ width: 1440, height: 800 })
    await show('/audit', 'tbody tr')
    await page.locator('del', { hasText: 'too long to keep: 500' }).waitFor()
    const after = page.locator('ins', { hasText: 'too long to keep: 7' })
    await after.locator('summary').click()
    await after.getByText(`${LONG.title} ${LONG.title}`, { exact: true }).last().waitFor()
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

// The browser logs each response with an error, so this is last.
describe('a page of which one request fails while the server responds', () => {
  it('says so, and asks again only when it is told to', async () => {
    let asked = 0
    let healthy = 0
    const pattern = /\/v1\/usage$/
    await page.addInitScript(hastenTimers)
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
