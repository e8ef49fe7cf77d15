import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, type Browser, type BrowserContext, type Frame, type Page } from 'playwright-core'
import { startService, type RunningService } from '../../fixtures/running-service.ts'
import { headlessChromiumPath } from '../../infrastructure/services.ts'
import { waitFor } from '../../infrastructure/wait-for.ts'
import { writeMovingPicture } from '../moving-picture.ts'
import { writeScreenshot } from '../screenshot.ts'
import { openSite, type Site } from './site.ts'
import { call, ingestLong, ingestVideos, YAWN_SECONDS } from './videos.ts'

const FOLDER = fileURLToPath(new URL('../../../docs/pictures/', import.meta.url))
/** The README shows them at less than their size. */
const WINDOW = { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1.5, locale: 'en' }
/** Of the list of videos, which has few rows. */
const LIST_HEIGHT = 640
const VIEWER = 'maria@example.org'

interface Studio {
  service: RunningService
  site: Site
  browser: Browser
  /** Signed in to the dashboard. */
  owner: BrowserContext
  /** Address of the account's pages of the dashboard. */
  pages: string
  videoId: string
}

type TakePicture = (studio: Studio, path: string) => Promise<void>

/** The pictures of the README, by the name of their file. */
const PICTURES: Record<string, TakePicture> = {
  videos: takeVideos,
  video: takeVideo,
  delivery: takeDelivery,
  watching: takeWatching,
  // The last one, because it switches the watermark on.
  player: takePlayer,
}

export const README_PICTURES = Object.keys(PICTURES)

/** Writes the named pictures to docs/pictures, as a running service shows Big Buck Bunny. */
export async function writeReadmePictures(names: readonly string[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'reelgate-readme-'))
  const site = await openSite(folder)
  const service = await startService(join(folder, 'data'), site.settings)
  const browser = await launch()
  try {
    const events = ['video.created', 'video.ready']
    await call(service, 'POST', '/v1/webhook-endpoints', { url: site.hookUrl, events })
    const videoId = await ingestVideos(service, site, folder)
    const { owner, pages } = await signIn(service, browser)
    const studio = { service, site, browser, owner, pages, videoId }
    for (const name of names) {
      await PICTURES[name]?.(studio, join(FOLDER, `${name}.webp`))
      process.stderr.write(`docs/pictures/${name}.webp\n`)
    }
  } finally {
    await browser.close()
    await service.stop()
    await site.close()
    await rm(folder, { recursive: true, force: true })
  }
}

const launch = async (): Promise<Browser> =>
  chromium.launch({
    executablePath: await headlessChromiumPath(),
    args: ['--no-sandbox', '--disable-gpu', '--autoplay-policy=no-user-gesture-required'],
  })

/** Uses the link of the first owner. */
async function signIn(
  service: RunningService,
  browser: Browser,
): Promise<Pick<Studio, 'owner' | 'pages'>> {
  const owner = await browser.newContext({ ...WINDOW, reducedMotion: 'reduce' })
  const page = await owner.newPage()
  await page.goto(service.owner_link ?? '')
  await page.getByLabel('Your name').fill('Ada')
  await page.getByLabel('E-mail address').fill('ada@example.org')
  await page.getByLabel('Password').fill('a long enough password')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL('**/accounts/**')
  const [pages = ''] = /^.*\/accounts\/\d+/.exec(page.url()) ?? []
  await page.close()
  return { owner, pages }
}

async function openPage({ owner, pages }: Studio, path: string): Promise<Page> {
  const page = await owner.newPage()
  await page.goto(pages + path)
  await page.locator('h1').first().waitFor()
  return page
}

async function takeVideos(studio: Studio, path: string): Promise<void> {
  const { service, site } = studio
  const id = await ingestLong(service, site)
  const page = await openPage(studio, '/videos')
  await page.setViewportSize({ ...WINDOW.viewport, height: LIST_HEIGHT })
  const row = page.locator('[data-item]', { hasText: 'long cut' })
  const isHalfWay = async (): Promise<boolean> => /\b[3-6]\d\s?%/.test(await row.innerText())
  await waitFor('the middle of an encoding', isHalfWay, 300_000)
  await writeScreenshot(page, path)
  await page.close()
  await call(service, 'DELETE', `/v1/videos/${id}`)
}

async function takeVideo(studio: Studio, path: string): Promise<void> {
  const page = await openPage(studio, `/videos/${studio.videoId}/chapters`)
  await page.getByRole('slider').first().waitFor()
  // The page loads the player when it is asked to play.
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await pauseAtYawn(await playerIn(page))
  await page.getByRole('button', { name: `Add at 0:${Math.floor(YAWN_SECONDS)}` }).waitFor()
  await writeScreenshot(page, path)
  await page.close()
}

async function takeDelivery(studio: Studio, path: string): Promise<void> {
  const page = await openPage(studio, '/developers/deliveries')
  await page.getByRole('link', { name: 'video.ready' }).first().click()
  await page.getByRole('heading', { name: 'Phases' }).waitFor()
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.setViewportSize({ ...WINDOW.viewport, height })
  await writeScreenshot(page, path)
  await page.close()
}

/** The player alone, used by a viewer. */
async function takeWatching({ browser, service, videoId }: Studio, path: string): Promise<void> {
  // The smallest that the settings fit without scrolling.
  const viewport = { width: 720, height: 405 }
  const page = await browser.newPage({ viewport, locale: 'en' })
  const { embed_url: url } = await call<{ embed_url: string }>(
    service,
    'GET',
    `/v1/videos/${videoId}`,
  )
  await page.goto(`${url}?captions=off`, { referer: 'http://localhost/' })
  await writeMovingPicture(page, path)
  await page.context().close()
}

/** The player on a page of the site. */
async function takePlayer(
  { browser, service, site, videoId }: Studio,
  path: string,
): Promise<void> {
  const watermark = ['enabled=true', 'required=true', 'opacity=0.5'].map(
    (one) => `watermark.${one}`,
  )
  await service.cli('settings', 'set', ...watermark, '--account', String(service.account_id))
  const { iframe_html: iframe } = await call<{ iframe_html: string }>(
    service,
    'POST',
    `/v1/videos/${videoId}/playback-tokens`,
    { viewer_id: VIEWER },
  )
  const page = await browser.newPage(WINDOW)
  await page.goto(site.embedding(iframe))
  await pauseAtYawn(await playerIn(page))
  await writeScreenshot(page, path)
  await page.context().close()
}

/** The frame of the player in a page, once it can play. */
async function playerIn(page: Page): Promise<Frame> {
  const frame = await waitFor('the player', async () => page.frames()[1])
  await frame.waitForSelector('html[data-controls]:not([data-state="loading"])', {
    state: 'attached',
  })
  return frame
}

/** Plays to the yawn and pauses there, with the controls shown. */
async function pauseAtYawn(frame: Frame): Promise<void> {
  await frame.evaluate(() => void document.querySelector('video')?.play())
  await frame.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0.5)
  await frame.evaluate(async (to) => {
    const video = document.querySelector('video')
    if (!video) throw new Error('there is no video')
    video.pause()
    const arrived = new Promise((resolve) => video.addEventListener('seeked', resolve))
    video.currentTime = to
    await arrived
  }, YAWN_SECONDS)
}
