import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { someOf } from '../infrastructure/every-case.ts'
import { openKitServer } from './dashboard-kit-server.ts'
import { openWatchedBrowser, type Look, type WatchedBrowser } from './watched-browser.ts'

let server: Awaited<ReturnType<typeof openKitServer>>
let browser: WatchedBrowser

beforeAll(async () => {
  browser = await openWatchedBrowser()
  server = await openKitServer()
}, 60_000)

afterAll(async () => {
  await browser?.close()
  await server?.close()
})

const open = (look: Look, part = ''): Promise<Page> => browser.open(server.url + part, look)

/** What opens a part, what shows that it is open, and what closes it. */
interface Part {
  name: string
  open: (page: Page) => Promise<void>
  shown: string
  close?: (page: Page) => Promise<void>
}

const click = (name: string) => (page: Page) => page.getByRole('button', { name }).click()
const pressEscape = (page: Page) => page.keyboard.press('Escape')

const PARTS: Part[] = [
  { name: 'modal', open: click('Open modal'), shown: '[role=dialog]' },
  {
    name: 'select inside a modal',
    async open(page) {
      await click('Open modal')(page)
      await page.getByRole('combobox', { name: 'Colour' }).click()
    },
    shown: '[role=listbox]',
    async close(page) {
      await page.getByRole('option', { name: 'Green' }).click()
      await pressEscape(page)
    },
  },
  { name: 'drawer', open: click('Open drawer'), shown: '[role=dialog]' },
  { name: 'menu', open: click('Open menu'), shown: '[role=menu]' },
  {
    name: 'colour input',
    open: (page) => page.getByLabel('Accent').click(),
    shown: '.mantine-ColorInput-dropdown',
    close: (page) => page.getByRole('heading', { name: 'Parts' }).click(),
  },
  {
    name: 'tooltip',
    open: (page) => page.getByRole('button', { name: 'Hover' }).hover(),
    shown: '[role=tooltip]',
    close: (page) => page.mouse.move(0, 0),
  },
]

/**
 * Notes how long each transition that begins from here takes, in milliseconds. It reads them as soon as an attribute
 * has changed: at the event of a transition, a slow browser has already ended or replaced it.
 */
function noteDurations(): void {
  const { dataset } = document.documentElement
  dataset.durations = ''
  new MutationObserver((changes) => {
    for (const { target } of changes)
      for (const { effect } of (target as Element).getAnimations())
        dataset.durations += ` ${String(effect?.getTiming().duration)}`
  }).observe(document.body, { attributes: true, subtree: true })
}

describe('the UI kit under the policy of the dashboard', () => {
  const looks = [
    ['ar', 'dark', 360],
    ['en', 'light', 1280],
  ] as const
  it.each(someOf(looks, 2))(
    'breaks no rule of the policy and of axe with each part open (%s, %s, %i px)',
    async (locale, colorScheme, width) => {
      const page = await open({ locale, colorScheme, width })
      expect(await page.getAttribute('html', 'dir')).toBe(locale === 'ar' ? 'rtl' : 'ltr')
      expect(await page.getAttribute('html', 'data-mantine-color-scheme')).toBe(colorScheme)
      expect(await browser.axe(page, 'all')).toEqual([])
      for (const { name, open, shown, close = pressEscape } of PARTS) {
        await open(page)
        const part = page.locator(shown).first()
        await part.waitFor()
        expect([name, await browser.axe(page, 'all')]).toEqual([name, []])
        await close(page)
        await part.waitFor({ state: 'hidden' })
      }
      expect(await browser.complaints(page)).toEqual([])
      await browser.leave(page)
    },
    120_000,
  )

  it('opens a dialog on a raised surface within 200 ms, and at once for those who asked for less motion', async () => {
    const page = await open({ locale: 'en', colorScheme: 'dark', width: 800 })
    const dialog = page.getByRole('dialog')
    const noted = () => page.evaluate(() => document.documentElement.dataset.durations?.trim())
    const openAndClose = async (): Promise<void> => {
      await page.evaluate(noteDurations)
      await click('Open modal')(page)
      await dialog.waitFor()
      await pressEscape(page)
      await dialog.waitFor({ state: 'hidden' })
    }
    // Contexts of tests ask for less motion.
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await openAndClose()
    const durations = (await noted())?.split(' ').map(Number) ?? []
    expect(Math.max(...durations)).toBeGreaterThan(0)
    expect(Math.max(...durations)).toBeLessThanOrEqual(200)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await openAndClose()
    expect(await noted()).toBe('')
    await click('Open modal')(page)
    const surface = await dialog.evaluate((one) => getComputedStyle(one).backgroundColor)
    expect(surface).toBe('rgb(31, 37, 40)')
    await browser.leave(page)
  })

  it('breaks no rule with every part of the kit on one page', async () => {
    const page = await open({ locale: 'ar', colorScheme: 'light', width: 1280 }, '#all')
    expect(await browser.axe(page, 'all')).toEqual([])
    expect(await browser.complaints(page)).toEqual([])
    await browser.leave(page)
  }, 60_000)

  it('reports a style attribute and a style element without the nonce, so this test would see them', async () => {
    const page = await open({ locale: 'en', colorScheme: 'light', width: 800 })
    await page.evaluate(() => {
      document.body.insertAdjacentHTML('beforeend', '<p style="color: red">x</p>')
      document.head.append(document.createElement('style'))
      document.head.lastElementChild?.append('p { color: red }')
    })
    const complaints = await browser.complaints(page)
    expect(complaints.join()).toContain('style-src-attr')
    expect(complaints.join()).toContain('style-src-elem')
    await browser.leave(page)
  })
})
