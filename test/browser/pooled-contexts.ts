import type { Browser, BrowserContext, Page } from 'playwright-core'

/** How a page of the dashboard is looked at. */
export interface Look {
  locale: string
  colorScheme: 'light' | 'dark'
  width: number
}

/** With these, all pages of a context share a process: its start costs as much as what a page does in it. */
export const CHROMIUM_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--process-per-site',
  '--renderer-process-limit=1',
  '--disable-site-isolation-trials',
]

/** Contexts of a browser, which are emptied and used again. */
interface ContextPool {
  /** An empty context, for pages of this origin. */
  take(look: Look, origin: string): Promise<BrowserContext>
  /** Closes all pages of a context, and removes what they have stored. */
  give(context: BrowserContext): Promise<void>
}

/** A context with an empty page, which keeps the process alive while no other page is open. */
interface Pooled {
  context: BrowserContext
  keeper: Page
  origin: string
  key: string
}

export function poolContexts(browser: Browser): ContextPool {
  const all: Pooled[] = []
  const idle = new Set<Pooled>()
  return {
    async take(look, origin) {
      const key = JSON.stringify([look, origin])
      const found = [...idle].find((pooled) => pooled.key === key)
      if (found) {
        idle.delete(found)
        return found.context
      }
      const pooled = { ...(await openContext(browser, look, origin)), origin, key }
      all.push(pooled)
      return pooled.context
    },
    async give(context) {
      const pooled = all.find((one) => one.context === context)
      if (!pooled) throw new Error('the context is not of this pool')
      await empty(pooled)
      idle.add(pooled)
    },
  }
}

async function openContext(browser: Browser, look: Look, origin: string) {
  const { locale, colorScheme, width } = look
  const viewport = { width, height: 800 }
  const context = await browser.newContext({
    locale,
    colorScheme,
    viewport,
    reducedMotion: 'reduce',
  })
  const keeper = await context.newPage()
  // No page of the app, but with the headers of one: they decide which pages share a process.
  await keeper.goto(`${origin}/robots.txt`)
  return { context, keeper }
}

async function empty({ context, keeper, origin }: Pooled): Promise<void> {
  const pages = context.pages().filter((page) => page !== keeper)
  await Promise.all(pages.map((page) => page.close()))
  await context.clearCookies()
  await context.clearPermissions()
  await context.unrouteAll()
  const devtools = await context.newCDPSession(keeper)
  await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  await devtools.detach()
}
