import { pairsAtMost, type Figure } from '../figure.ts'
import { pairUp } from '../pairs.ts'
import { launchBrowser } from '../player/browser-page.ts'
import type { DashboardBenchFixture } from './fixture.ts'
import { timeOf } from './timed-page.ts'

const WARM_UPS = 2
const ROUNDS = 11
const MOST = 1.3

interface Side {
  name: string
  url: string
  /** What is on the page when its heading and all data from the server are shown, as CSS selectors. */
  shown: string[]
  times: number[]
}

/**
 * Measures the time to interactive of the first signed-in view, the overview, beside a bare page with the same
 * React and router: from the start of the navigation until the heading and the data from the server are in a frame
 * and React has handled a click. The two are opened in turns, each time without a cache. The bare page is built
 * and served like the dashboard and asks for the same overview, without a query library and without styles.
 */
export async function measureTimeToInteractive(fixture: DashboardBenchFixture): Promise<Figure> {
  const bareServer = await fixture.startBare()
  const browser = await launchBrowser()
  const path = `/accounts/${fixture.accountId}`
  const view = ['main h1', 'main strong']
  const bare: Side = {
    name: 'bare page',
    url: `${bareServer.baseUrl}${path}`,
    shown: view,
    times: [],
  }
  const dashboard: Side = {
    name: 'dashboard',
    url: `${fixture.dashboard.baseUrl}${path}`,
    shown: [...view, 'aside bdi:not(:empty)'],
    times: [],
  }
  try {
    for (let round = 1 - WARM_UPS; round <= ROUNDS; round += 1)
      for (const side of [bare, dashboard]) {
        const time = await timeOf(browser, { ...side, cookie: fixture.cookie, isClicked: true })
        if (round > 0) side.times.push(time)
      }
  } finally {
    await browser.close()
    await bareServer.stop()
  }
  for (const { name, times } of [bare, dashboard])
    console.error(
      `  … interactive, ${name}: ${times.map((time) => Math.round(time)).join(', ')} ms`,
    )
  return pairsAtMost('time to interactive', pairUp(dashboard.times, bare.times), 'ms', MOST)
}
