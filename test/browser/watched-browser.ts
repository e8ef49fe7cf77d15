import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import { chromium } from 'playwright-core'
import type { Page } from 'playwright-core'
import { chromiumPath } from '../infrastructure/services.ts'

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
  axe(page: Page): Promise<string[]>
  /** Violations of the policy, errors in the console and exceptions, since the page was opened. */
  complaints(page: Page): Promise<string[]>
  close(): Promise<void>
}

export async function openWatchedBrowser(): Promise<WatchedBrowser> {
  const [executablePath, axeScript] = await Promise.all([
    chromiumPath(),
    readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'),
  ])
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  const complaints = new WeakMap<Page, string[]>()
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
      complaints.set(page, await watch(page))
      await page.goto(url)
      await page.locator('h1').first().waitFor()
      return page
    },
    async axe(page) {
      await page.evaluate(`window.axe || (() => { ${axeScript} })()`)
      const { violations } = await page.evaluate<AxeResults>('axe.run(document)')
      return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
    },
    async complaints(page) {
      // The browser reports violations in a task of its own.
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)))
      return complaints.get(page) ?? []
    },
    close: () => browser.close(),
  }
}

async function watch(page: Page): Promise<string[]> {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.exposeFunction('reportViolation', (text: string) => void complaints.push(text))
  await page.addInitScript(`
    addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile }) =>
      reportViolation(\`\${effectiveDirective}: \${blockedURI} \${sourceFile}\`))`)
  return complaints
}
