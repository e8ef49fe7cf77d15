import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { freePort } from '../../scripts/embedded/ports.ts'
import type { ServerProcess } from '../../test/infrastructure/server-process.ts'
import { asInformation, atMost } from '../figure.ts'
import type { Figure } from '../figure.ts'
import { median, percentile } from '../load.ts'
import { SITE } from './bench-world.ts'
import type { PlayerBenchWorld } from './bench-world.ts'
import { launchBrowser } from './browser.ts'
import { firstFrameOf, hasPlayed, watchFirstFrame } from './frame-watch.ts'
import type { FirstFrame } from './frame-watch.ts'
import { waterfall } from './waterfall.ts'

const WARM_UPS = 3
const ROUNDS = 20

/** From the navigation to the embed page until its first frame, beside a bare page of Shaka Player. */
export async function measureFirstFrames(world: PlayerBenchWorld): Promise<Figure[]> {
  const browser = await launchBrowser()
  const bareServer = await startBarePage(world, browser)
  try {
    const bare = { name: 'bare page', url: `${bareServer.baseUrl}/`, frames: [] as FirstFrame[] }
    const ours = { name: 'ours', url: embedAddress(world), frames: [] as FirstFrame[] }
    for (let round = 1 - WARM_UPS; round <= ROUNDS; round += 1)
      for (const { url, frames } of [ours, bare]) {
        const frame = await open(browser, url)
        if (round > 0) frames.push(frame)
      }
    for (const { name, frames } of [bare, ours])
      console.error(`  … first frame, ${name}:\n      ${waterfall(frames).join('\n      ')}`)
    const [anchors, times] = [timesOf(bare.frames), timesOf(ours.frames)]
    const what = 'navigation to first frame'
    return [
      atMost(`${what}, median`, median(times), 'ms', { anchor: median(anchors), most: 1.2 }),
      asInformation(`${what}, p90`, percentile(times, 0.9), 'ms', {
        anchor: percentile(anchors, 0.9),
      }),
    ]
  } finally {
    await browser.close()
    await bareServer.stop()
  }
}

/** The embed page of the film, to be played at once. */
export const embedAddress = ({ player, path }: PlayerBenchWorld): string =>
  `${player.baseUrl}${path}?autoplay=1&muted=1`

const timesOf = (frames: FirstFrame[]): number[] =>
  frames.map(({ firstFrameMs }) => firstFrameMs).toSorted((a, b) => a - b)

/** In a browser context of its own, so that nothing is cached. */
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

/** Takes the manifest and the licence from what our own player is sent, and serves them as files. */
async function startBarePage(world: PlayerBenchWorld, browser: Browser): Promise<ServerProcess> {
  const folder = join(world.folder, 'bare')
  await mkdir(folder)
  const { manifest, keys } = await capture(world, browser)
  await writeFile(join(folder, 'manifest.mpd'), manifest.replaceAll(world.player.baseUrl, ''))
  await writeFile(join(folder, 'licence.json'), JSON.stringify({ keys, type: 'temporary' }))
  const port = await freePort()
  const args = [String(port), folder, world.objects, world.videoId]
  return world.startServer('bench/player/bare-page-server.ts', { port, args })
}

async function capture(
  world: PlayerBenchWorld,
  browser: Browser,
): Promise<{ manifest: string; keys: unknown[] }> {
  const page = await browser.newPage()
  const manifests: Promise<string>[] = []
  const licences: Promise<{ keys: unknown[] }>[] = []
  // What a page reads as a blob cannot be read from outside a second time.
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
  await page.goto(embedAddress(world), { referer: SITE })
  await firstFrameOf(page)
  // Picture and sound have a licence each; it moves on once both are there.
  await hasPlayed(page)
  const [manifest] = await Promise.all(manifests)
  if (manifest === undefined) throw new Error('the player asked for no manifest')
  const keys = (await Promise.all(licences)).flatMap((licence) => licence.keys)
  await page.close()
  return { manifest, keys }
}
