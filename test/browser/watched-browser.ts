import { chromium } from 'playwright-core'
import type { Page } from 'playwright-core'
import { headlessChromiumPath } from '../infrastructure/services.ts'
import { axeFaults } from './axe.ts'
import type { AxeRules } from './axe.ts'

/** How a page of the dashboard is looked at. */
export interface Look {
  locale: string
  colorScheme: 'light' | 'dark'
  width: number
}

/** Chromium, which reports what a page of the dashboard must not do. */
export interface WatchedBrowser {
  /** Opens an address in a new context and waits for the heading. `cookie` is the session's. */
  open(url: string, look: Look, cookie?: { name: string; value: string }): Promise<Page>
  /** What axe finds wrong, as rule and element. */
  axe(page: Page, rules?: AxeRules): Promise<string[]>
  /** Violations of the policy, errors in the console and exceptions, since the page was opened. */
  complaints(page: Page): Promise<string[]>
  close(): Promise<void>
}

export async function openWatchedBrowser(): Promise<WatchedBrowser> {
  const executablePath = await headlessChromiumPath()
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  const watches = new WeakMap<Page, Watch>()
  return {
    async open(url, { locale, colorScheme, width }, cookie) {
      const viewport = { width, height: 800 }
      const look = { locale, colorScheme, viewport, reducedMotion: 'reduce' } as const
      const context = await browser.newContext(look)
      // For all paths: the pages call the API.
      const { origin } = new URL(url)
      if (cookie)
        await context.addCookies([{ name: cookie.name, value: cookie.value, url: origin }])
      const page = await context.newPage()
      watches.set(page, await watch(page))
      await page.goto(url)
      await page.locator('h1').first().waitFor()
      return page
    },
    axe: axeFaults,
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
    if (message.type() === 'error') found.push(message.text())
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
