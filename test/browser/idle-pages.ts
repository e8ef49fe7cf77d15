import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

/**
 * Pages that tests have left, for later ones. A page that has compiled the player's scripts once opens the next video
 * for half of the processor time of a new page.
 */
const idle = new WeakMap<Browser, Map<string, Page[]>>()

/** What the context of a page was opened with, but for its size. */
const kinds = new WeakMap<Page, string>()

/** What ends the scripts that a test runs in the documents of a page. */
const scripts = new WeakMap<Page, AsyncDisposableStack>()

/** The size of a page whose test asks for none: small, because each frame is painted by the processor. */
export const SMALL = { width: 640, height: 360 }

/** Returns a page that shows no video and has stored nothing: one that was left, or one in a new browser context. */
export async function takeIdlePage(
  browser: Browser,
  { viewport = SMALL, ...options }: BrowserContextOptions = {},
): Promise<Page> {
  const kind = JSON.stringify(options)
  const left = pagesOf(browser, kind).pop()
  if (left) {
    await left.setViewportSize(viewport ?? SMALL)
    return left
  }
  const context = await browser.newContext({ viewport, ...options })
  const page = await context.newPage()
  pollSparingly(page)
  kinds.set(page, kind)
  return page
}

/** How often a page looks for what a test waits for. */
const POLL_MS = 50

/** By default a page looks at every frame, which it then must draw. */
function pollSparingly(page: Page): void {
  const wait = page.waitForFunction.bind(page)
  Object.assign(page, {
    waitForFunction: (isTrue: string, arg: unknown, options?: object) =>
      wait(isTrue, arg, { polling: POLL_MS, ...options }),
  })
}

function pagesOf(browser: Browser, kind: string): Page[] {
  const ofBrowser = idle.get(browser) ?? new Map<string, Page[]>()
  idle.set(browser, ofBrowser)
  const pages = ofBrowser.get(kind) ?? []
  ofBrowser.set(kind, pages)
  return pages
}

/** Runs a script in all later documents of the page, until its test leaves it. */
export async function useScript(
  page: Page,
  script: (() => void) | { content: string },
): Promise<void> {
  const all = scripts.get(page) ?? new AsyncDisposableStack()
  scripts.set(page, all)
  const added = await page.addInitScript(script)
  all.defer(() => added.dispose())
}

/**
 * Ends the visit of a viewer: removes the test's routes and scripts, and what the video's host has stored. A test that has
 * changed more, such as the context or the listeners of the page, closes the context instead.
 */
export async function leave(page: Page): Promise<void> {
  const browser = page.context().browser()
  const kind = kinds.get(page)
  if (!browser || kind === undefined) throw new Error('the page was not opened by openBlank')
  await scripts.get(page)?.disposeAsync()
  scripts.delete(page)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  // The same origin, so that the page keeps its process and has stored all that it stores when it is left.
  await page.goto(new URL('/nothing', page.url()).href)
  await page.evaluate(() => localStorage.clear())
  await page.context().clearCookies()
  await page.mouse.move(-1, -1)
  pagesOf(browser, kind).push(page)
}
