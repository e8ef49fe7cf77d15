import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { Choice, Look, State } from './choose-pictures.ts'
import type { ShownPage, Studio } from './pages.ts'
import { servePosters } from './pictures.ts'
import { holdTime } from './steady-times.ts'

/** Opens a browser context for a look, in which nothing moves and the time stands still. */
export async function openLook(
  browser: Browser,
  { window, scheme, language }: Look,
): Promise<BrowserContext> {
  return browser.newContext({
    viewport: window,
    locale: language,
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    colorScheme: scheme === 'dark' ? 'dark' : 'light',
    forcedColors: scheme === 'forced colours' ? 'active' : 'none',
  })
}

/** Takes a picture of a page in a state, as PNG. */
export async function takeShownPage(
  browser: Browser,
  studio: Studio,
  shown: ShownPage,
  { state, ...look }: Choice,
): Promise<Buffer> {
  const context = await openLook(browser, look)
  try {
    await holdTime(context, studio.accounts.start)
    await servePosters(context, studio)
    const { cookie } = studio.accounts
    if (shown.isSignedIn) await context.addCookies([{ ...cookie, url: studio.t.dashboardBase }])
    if (state === 'error' || state === 'loading') await breakRequests(context, shown, state)
    const page = await context.newPage()
    await shown.visit(page, studio, state)
    await settle(page, state)
    return await page.screenshot({ animations: 'disabled', caret: 'hide' })
  } finally {
    await context.unrouteAll({ behavior: 'ignoreErrors' })
    await context.close()
  }
}

// With a 503 of one request alone, pages ask again and again while others succeed, and never say so.
const FAILED = {
  error: {
    type: 'api_error',
    code: 'internal_error',
    message: 'The service had an internal error.',
    param: null,
    request_id: 'req_0f3c9a7be04d5628',
  },
}

/** Lets the page's own requests fail, or wait for ever. */
const breakRequests = (
  context: BrowserContext,
  { own, isSignedIn }: ShownPage,
  state: State,
): Promise<unknown> =>
  context.route(
    ({ pathname, search }) => own.test(pathname + search),
    async (route) => {
      if (state === 'loading') return
      if (isSignedIn) await route.fulfill({ status: 500, json: FAILED })
      else await route.fallback()
    },
  )

/** How long nothing changes on a page that has come to rest. */
const QUIET_MS: Record<State, number> = {
  many: 250,
  one: 250,
  empty: 250,
  loading: 700,
  error: 500,
}
const SETTLED_WITHIN_MS = 15_000

/** Waits until a page shows what it will show. */
export async function settle(page: Page, state: State): Promise<void> {
  await page.locator('main').first().waitFor()
  // A page asks again for some seconds before it says so.
  const alert = page.locator('main [role=alert]').filter({ visible: true }).first()
  if (state === 'error') await alert.waitFor({ timeout: SETTLED_WITHIN_MS }).catch(() => {})
  if (state !== 'loading' && state !== 'error') await page.waitForLoadState('networkidle')
  await page.evaluate(
    ({ quietMs, withinMs }) =>
      new Promise<void>((resolve) => {
        let timer = setTimeout(resolve, quietMs)
        const observer = new MutationObserver(() => {
          clearTimeout(timer)
          timer = setTimeout(resolve, quietMs)
        })
        observer.observe(document, { subtree: true, childList: true, characterData: true })
        setTimeout(resolve, withinMs)
      }),
    { quietMs: QUIET_MS[state], withinMs: SETTLED_WITHIN_MS },
  )
  await page.evaluate(async () => {
    await document.fonts.ready
    const shown = [...document.images].filter((image) => image.loading !== 'lazy')
    await Promise.all(shown.map((image) => image.decode().catch(() => undefined)))
  })
}
