import { mkdir } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { HAS_EVERY_CASE, someOf } from '../infrastructure/every-case.ts'
import { until } from '../infrastructure/wait-for.ts'
import type { Look, WatchedBrowser } from './watched-browser.ts'

/**
 * The looks of the dashboard. German has the longest words, and Arabic is read from right to left. The tests of
 * flows use English.
 */
const LOOKS: Look[] = [
  { locale: 'de', colorScheme: 'light', width: 360 },
  { locale: 'ar', colorScheme: 'dark', width: 1440 },
]

/** Other words are the longest in each of these. */
const OTHER_LOOKS: Look[] = [
  { locale: 'es', colorScheme: 'light', width: 360 },
  { locale: 'fr', colorScheme: 'dark', width: 360 },
  { locale: 'pt', colorScheme: 'light', width: 360 },
]

const WIDTHS = [360, 768, 1440]

/** How long `checkViews` may take. All looks of the longest list, with a picture of each, take four minutes alone. */
export const VIEWS_WITHIN_MS = HAS_EVERY_CASE ? 900_000 : 240_000

export const PLAIN: Look = { locale: 'en', colorScheme: 'light', width: 1280 }

/** A page, or a state of it. */
export interface View {
  name: string
  /** Below the account's address, such as `/videos?q=x`. */
  path: string
  /** Selector of what is visible when the view is complete. */
  shown: string
  /** Opens a dialog or a menu of the page. */
  open?: (page: Page) => Promise<void>
  /** True if its heading replaces that of the view before it. */
  isPage?: boolean
}

interface Visit {
  browser: WatchedBrowser
  /** Address of the account's pages. */
  base: string
  cookie: { name: string; value: string }
}

/**
 * Opens the views one after the other and expects that each fits all widths, breaks no rule of axe and obeys
 * the policy. `npm run verify:looks` opens each view in all looks, `npm test` every third page in one of them. With
 * SCREENSHOTS set to a folder, a picture of each is saved there.
 */
export async function checkViews(views: readonly View[], visit: Visit): Promise<void> {
  const looks = HAS_EVERY_CASE ? [...LOOKS, ...OTHER_LOOKS] : LOOKS
  for (const [turn, look] of looks.entries()) {
    const isInTurn = (_view: View, index: number): boolean => index % LOOKS.length === turn
    const seen = HAS_EVERY_CASE ? views : someOf(onePerPage(views), 3).filter(isInTurn)
    if (seen.length > 0) await checkInLook(seen, visit, look)
  }
}

/** Returns the first view of each page, without what it opens. The number of an object makes no other page. */
function onePerPage(views: readonly View[]): View[] {
  const pages = new Map<string, View>()
  for (const view of views.filter(({ open }) => open === undefined)) {
    const [page = ''] = view.path.replaceAll(/\d+/g, 'n').split('?')
    if (!pages.has(page)) pages.set(page, view)
  }
  return [...pages.values()]
}

async function checkInLook(
  views: readonly View[],
  { browser, base, cookie }: Visit,
  look: Look,
): Promise<void> {
  const page = await browser.open(base + (views[0]?.path ?? ''), look, cookie)
  // If a view has all looks, the first one finds what is wrong in every look.
  const rules = HAS_EVERY_CASE && look !== LOOKS[0] ? 'look' : 'all'
  let isAsLoaded = true
  for (const [index, view] of views.entries()) {
    const { name, path, shown, open } = view
    if (index > 0) await show(page, base + path, view, isAsLoaded)
    await page.locator(shown).filter({ visible: true }).first().waitFor()
    isAsLoaded = open === undefined
    await open?.(page)
    expect([name, await browser.axe(page, rules)]).toEqual([name, []])
    for (const width of WIDTHS) await expectToFit(page, name, { ...look, width })
    await page.setViewportSize({ width: look.width, height: 800 })
    expect([name, await browser.complaints(page)]).toEqual([name, []])
  }
  await browser.leave(page)
}

async function expectToFit(page: Page, name: string, look: Look): Promise<void> {
  const { width } = look
  await page.setViewportSize({ width, height: 800 })
  await takeScreenshot(page, name, look)
  // A busy browser lays the page out some time after the new size.
  await until(async () => (await overflow(page)) === 0, 10_000).catch(() => {})
  expect([name, width, await overflow(page)]).toEqual([name, width, 0])
}

/** Goes to an address within the app, which needs less than half the processor time of a new page. */
export const goWithin = (page: Page, address: string): Promise<void> =>
  page.evaluate(`history.pushState(null, '', ${JSON.stringify(address)})`)

/** Goes to another page within the app, and waits until the former one is gone. */
export async function leaveFor(page: Page, address: string): Promise<void> {
  const headings = page.locator('[data-page-heading]')
  // Before the app shows a page, it may not see that the address changes.
  await headings.first().waitFor()
  await headings.evaluateAll((all) => all.forEach((one) => one.setAttribute('data-former', '')))
  await goWithin(page, address)
  await page.locator('[data-page-heading][data-former]').waitFor({ state: 'detached' })
}

/**
 * Goes to a view within the app. Loads a new page if the former view has opened something, or shows already what this
 * one is recognised by.
 */
async function show(
  page: Page,
  address: string,
  { shown, isPage = false }: View,
  isAsLoaded: boolean,
): Promise<void> {
  if (isAsLoaded && isPage) await leaveFor(page, address)
  else if (isAsLoaded && (await page.locator(shown).count()) === 0) await goWithin(page, address)
  else await page.goto(address)
}

/** By how many pixels a page is wider than its window. */
const overflow = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')

export async function takeScreenshot(page: Page, name: string, look: Look): Promise<void> {
  const folder = process.env.SCREENSHOTS
  if (!folder) return
  await mkdir(folder, { recursive: true })
  const { locale, colorScheme, width } = look
  const file = `${name.replaceAll(' ', '-')}.${locale}-${colorScheme}-${width}.png`
  await page.screenshot({ path: `${folder}/${file}`, fullPage: true })
}
