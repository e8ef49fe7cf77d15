import type { Browser, ConsoleMessage } from 'playwright-core'

/** How a page reports the milliseconds since its navigation began, on its console. */
const REPORT = 'shown after ms: '

/** A page whose time is measured, each time without a cache. */
export interface TimedPage {
  url: string
  /** The cookie of the session. */
  cookie: { name: string; value: string }
  /** What is on the page when it is complete, as CSS selectors. */
  shown: string[]
  /** Whether React must also have handled a click on a button before the page counts as complete. */
  isClicked: boolean
}

/** Opens a page in an empty context. Resolves to the milliseconds from its navigation to the frame that completes it. */
export async function timeOf(browser: Browser, page: TimedPage): Promise<number> {
  const context = await browser.newContext({ locale: 'en' })
  try {
    // Without the path of the page, the cookie is for all paths.
    await context.addCookies([{ ...page.cookie, url: new URL(page.url).origin }])
    const tab = await context.newPage()
    await tab.addInitScript({ content: watch(page) })
    const isReport = (message: ConsoleMessage): boolean => message.text().startsWith(REPORT)
    const reported = tab.waitForEvent('console', isReport)
    const [message] = await Promise.all([reported, tab.goto(page.url, { waitUntil: 'commit' })])
    return Number(message.text().slice(REPORT.length))
  } finally {
    await context.close()
  }
}

// Looks once per frame, so that what it finds is part of that frame.
const watch = ({ shown, isClicked }: TimedPage): string => `(() => {
  const look = () => {
    const isShown = ${JSON.stringify(shown)}.every((part) => document.querySelector(part))
    const button = ${isClicked} ? document.querySelector('button[aria-expanded]') : null
    if (isShown && (${!isClicked} || button?.ariaExpanded === 'true'))
      console.info('${REPORT}' + performance.now())
    else {
      if (isShown) button?.click()
      requestAnimationFrame(look)
    }
  }
  look()
})()`
