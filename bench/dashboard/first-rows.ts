import { pairsAtMost, type Figure } from '../figure.ts'
import { pairUp } from '../pairs.ts'
import { launchBrowser } from '../player/browser-page.ts'
import { VIDEO_COUNT, type DashboardBenchFixture } from './fixture.ts'
import { timeOf } from './timed-page.ts'

const WARM_UPS = 1
const ROUNDS = 7
/** Members expect their lists nearly as soon as the overview: 0.4 s beside 0.26 s. */
const MOST = 1.54

/** The pages, below the address of the account, with what is on each when its first data are shown. */
const PAGES: Record<string, { path: string; shown: string[] }> = {
  videos: { path: '/videos', shown: ['main [data-video]'] },
  usage: { path: '/usage', shown: ['main h1', 'main svg, main canvas'] },
  team: { path: '/team', shown: ['main tbody tr'] },
  'the audit log': { path: '/audit', shown: ['main tbody tr'] },
}

/**
 * Measures the time from a navigation to the first rows of a page in a large account, beside the same of the overview.
 * All pages are opened in turns, each time without a cache.
 */
export async function measureFirstRows(fixture: DashboardBenchFixture): Promise<Figure[]> {
  const base = `${fixture.dashboard.baseUrl}/accounts/${fixture.accountId}`
  const overview = { path: '', shown: ['main strong'] }
  const sides = [overview, ...Object.values(PAGES)].map((page) => ({
    ...page,
    times: new Array<number>(),
  }))
  const browser = await launchBrowser()
  try {
    for (let round = 1 - WARM_UPS; round <= ROUNDS; round += 1)
      for (const { path, shown, times } of sides) {
        const page = { url: base + path, shown, cookie: fixture.cookie, isClicked: false }
        const time = await timeOf(browser, page)
        if (round > 0) times.push(time)
      }
  } finally {
    await browser.close()
  }
  const [beside, ...others] = sides.map(({ times }) => times)
  return Object.keys(PAGES).map((name, index) => {
    const figure = `first rows of ${name}, ${VIDEO_COUNT} videos`
    return pairsAtMost(figure, pairUp(others[index] ?? [], beside ?? []), 'ms', MOST)
  })
}
