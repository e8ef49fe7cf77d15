import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { cookieName, openDashboardFixture } from '../fixtures/dashboard.ts'
import type { DashboardFixture } from '../fixtures/dashboard.ts'
import { insertLongValues, LONG } from '../fixtures/long-values.ts'
import { loadBundledWeb } from '../fixtures/web.ts'
import { until } from '../infrastructure/wait-for.ts'
import { goWithin, PLAIN, takeScreenshot } from './dashboard-looks.ts'
import { openWatchedBrowser } from './watched-browser.ts'
import type { WatchedBrowser } from './watched-browser.ts'

let t: DashboardFixture & { close: () => Promise<void> }
let browser: WatchedBrowser
let page: Page
let videoId: string

beforeAll(async () => {
  const webRouter = await loadBundledWeb()
  browser = await openWatchedBrowser()
  t = await openDashboardFixture(() => ({ webRouter }))
  videoId = (await insertLongValues(t)).videoId
  const name = cookieName(t.dashboardBase)
  const cookie = { name, value: await t.startSession(t.members.owner.id) }
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
  ['videos', '/videos', 'tbody tr'],
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

/** The narrowest column in which a long value can be read. */
const READABLE_PX = 112

/** What cannot be read or reached on the page, in words. */
function unreadable(readablePx: number): string[] {
  const faults: string[] = []
  const { scrollWidth, clientWidth } = document.documentElement
  if (scrollWidth > clientWidth) faults.push(`the page is ${scrollWidth} px wide`)
  const textOf = (element: Element): string => element.textContent.trim().slice(0, 30)
  for (const cell of document.querySelectorAll('tbody :is(td, th):not([data-lead])')) {
    const box = cell.getBoundingClientRect()
    if (cell.textContent.length > 16 && box.width > 0 && box.width < readablePx)
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

/** Goes to another page within the app, and waits until the former one is gone. */
async function show(path: string, shown: string): Promise<void> {
  await page.locator('h1').evaluate((heading) => heading.setAttribute('data-former', ''))
  await goWithin(page, `/accounts/${t.accountId}${path}`)
  await page.locator('h1[data-former]').waitFor({ state: 'detached' })
  await page.locator(`main ${shown}`).filter({ visible: true }).first().waitFor()
}

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
