import { chromium, type Page } from 'playwright-core'
import { HAS_EVERY_CASE } from '../infrastructure/every-case.ts'
import { headlessChromiumPath } from '../infrastructure/services.ts'
import { axeFaults, type AxeRules } from './axe.ts'
import { CHROMIUM_ARGS, poolContexts, type Look } from './pooled-contexts.ts'

export type { Look }

/** Chromium, which reports what a page of the dashboard must not do. */
export interface WatchedBrowser {
  /** Opens an address in an empty context and waits for the heading. `cookie` is the session's. */
  open(url: string, look: Look, cookie?: { name: string; value: string }): Promise<Page>
  /** What axe finds wrong, as rule and element. By default without the contrast, but for `npm run verify:all`. */
  axe(page: Page, rules?: AxeRules): Promise<string[]>
  /** Violations of the policy, errors in the console and exceptions, since the page was opened. */
  complaints(page: Page): Promise<string[]>
  /** Closes the page and those that it has opened. What they have stored is gone; their process serves the next page. */
  leave(page: Page): Promise<void>
  close(): Promise<void>
}

export async function openWatchedBrowser(): Promise<WatchedBrowser> {
  const executablePath = await headlessChromiumPath()
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_ARGS })
  const contexts = poolContexts(browser)
  const watches = new WeakMap<Page, Watch>()
  return {
    async open(url, look, cookie) {
      // For all paths: the pages call the API.
      const { origin } = new URL(url)
      const context = await contexts.take(look, origin)
      if (cookie)
        await context.addCookies([{ name: cookie.name, value: cookie.value, url: origin }])
      const page = await context.newPage()
      watches.set(page, await watch(page))
      await page.goto(url)
      await page.locator('h1').first().waitFor()
      return page
    },
    leave: (page) => contexts.give(page.context()),
    axe: (page, rules = HAS_EVERY_CASE ? 'all' : 'no contrast') => axeFaults(page, rules),
    async complaints(page) {
      const watched = watches.get(page)
      if (!watched) throw new Error('the page was opened by another browser')
      return watched.complaints()
    },
    close: () => browser.close(),
  }
}

interface Watch {
  /** What the page was blamed for so far. */
  complaints(): Promise<string[]>
}

/** No page may load from here, so an attempt is a violation of the policy. */
const MARKER = 'https://marker.invalid/'

async function watch(page: Page): Promise<Watch> {
  const found: string[] = []
  const arrivals = new Map<string, () => void>()
  page.on('console', (message) => {
    if (message.type() === 'error') found.push(`${message.text()} ${message.location().url}`)
  })
  page.on('pageerror', (error) => found.push(error.message))
  await page.exposeFunction('reportViolation', (text: string, blocked: string) => {
    found.push(text)
    arrivals.get(blocked)?.()
  })
  await page.addInitScript(`
    addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile }) =>
      reportViolation(\`\${effectiveDirective}: \${blockedURI} \${sourceFile}\`, blockedURI))`)
  return {
    async complaints() {
      // The browser reports violations in order, each in a task: with that of the marker, all before it have arrived.
      const marker = MARKER + crypto.randomUUID()
      const arrived = new Promise<void>((resolve) => arrivals.set(marker, resolve))
      await page.evaluate(`new Image().src = '${marker}'`)
      await arrived
      return found.filter((text) => !text.includes(MARKER))
    },
  }
}
