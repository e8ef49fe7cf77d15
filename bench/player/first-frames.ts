import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import type { ServerProcess } from '../../test/infrastructure/server-process.ts'
import { pairsAtMost, type Figure } from '../figure.ts'
import { median, percentile } from '../load.ts'
import { pairUp } from '../pairs.ts'
import {
  firstFrameOf,
  hasPlayed,
  launchBrowser,
  watchFirstFrame,
  type FirstFrame,
} from './browser-page.ts'
import { SITE, type PlayerBenchFixture } from './fixture.ts'
import { waterfall } from './waterfall.ts'

const WARM_UPS = 3
/** Of as many visits to both pages in turns as a percentile needs. */
const ROUNDS = 6
const VISITS = 10
const MOST = { p50: 1.1, p90: 1.15 }

/** Measures the time from the navigation to the first frame, compared with a bare page of Shaka Player. */
export async function measureFirstFrames(fixture: PlayerBenchFixture): Promise<Figure[]> {
  const browser = await launchBrowser()
  const bareServer = await startBarePage(fixture, browser)
  try {
    const bare = { name: 'bare page', url: `${bareServer.baseUrl}/`, frames: [] as FirstFrame[] }
    const embed = { name: 'embed page', url: embedAddress(fixture), frames: [] as FirstFrame[] }
    for (let visit = 1 - WARM_UPS; visit <= ROUNDS * VISITS; visit += 1)
      for (const { url, frames } of visit % 2 === 0 ? [embed, bare] : [bare, embed]) {
        const frame = await open(browser, url)
        if (visit > 0) frames.push(frame)
      }
    for (const { name, frames } of [bare, embed])
      console.error(`  … first frame, ${name}:\n      ${waterfall(frames).join('\n      ')}`)
    const pairsOf = (of: (times: number[]) => number) =>
      pairUp(roundsOf(embed.frames).map(of), roundsOf(bare.frames).map(of))
    const what = 'navigation to first frame'
    return [
      pairsAtMost(`${what}, p50`, pairsOf(median), 'ms', MOST.p50),
      pairsAtMost(
        `${what}, p90`,
        pairsOf((times) => percentile(times, 0.9)),
        'ms',
        MOST.p90,
      ),
    ]
  } finally {
    await browser.close()
    await bareServer.stop()
  }
}

/** The embed page, which starts to play immediately. */
export const embedAddress = ({ player, path }: PlayerBenchFixture): string =>
  `${player.baseUrl}${path}?autoplay=1&muted=1`

/** The sorted times of the visits of each round. */
const roundsOf = (frames: readonly FirstFrame[]): number[][] =>
  Array.from({ length: ROUNDS }, (_, round) =>
    frames
      .slice(round * VISITS, (round + 1) * VISITS)
      .map(({ firstFrameMs }) => firstFrameMs)
      .toSorted((a, b) => a - b),
  )

/** Opens the page in a new browser context, so that nothing is cached. */
async function open(browser: Browser, url: string): Promise<FirstFrame> {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    await watchFirstFrame(page)
    await page.goto(url, { referer: SITE, waitUntil: 'commit' })
    return await firstFrameOf(page)
  } finally {
    await context.close()
  }
}

/** Captures the manifest and the licence of the player's own page and serves them as files. */
async function startBarePage(
  fixture: PlayerBenchFixture,
  browser: Browser,
): Promise<ServerProcess> {
  const folder = join(fixture.servers.folder, 'bare')
  await mkdir(folder)
  const { manifest, keys } = await capture(fixture, browser)
  await writeFile(join(folder, 'manifest.mpd'), manifest.replaceAll(fixture.player.baseUrl, ''))
  await writeFile(join(folder, 'licence.json'), JSON.stringify({ keys, type: 'temporary' }))
  const { servers, objects, videoId } = fixture
  return servers.startAnchor('bench/player/bare-page-server.ts', folder, objects, videoId)
}

async function capture(
  fixture: PlayerBenchFixture,
  browser: Browser,
): Promise<{ manifest: string; keys: unknown[] }> {
  const page = await browser.newPage()
  const manifests: Promise<string>[] = []
  const licences: Promise<{ keys: unknown[] }>[] = []
  // Playwright cannot read the body of a response that the page has read as a blob.
  await page.route('**/*.mpd', async (route) => {
    const response = await route.fetch()
    manifests.push(response.text())
    await route.fulfill({ response })
  })
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (pathname.startsWith('/licence/'))
      licences.push(response.json() as Promise<{ keys: unknown[] }>)
  })
  await watchFirstFrame(page)
  await page.goto(embedAddress(fixture), { referer: SITE })
  await firstFrameOf(page)
  // Video and audio have separate licences; playback starts when both have arrived.
  await hasPlayed(page)
  const [manifest] = await Promise.all(manifests)
  if (manifest === undefined) throw new Error('the player requested no manifest')
  const keys = (await Promise.all(licences)).flatMap((licence) => licence.keys)
  await page.close()
  return { manifest, keys }
}
