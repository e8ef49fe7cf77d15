import { chromium } from 'playwright-core'
import { ensureChromium } from '../../scripts/bootstrap/tools.mjs'
import { waitFor } from '../infrastructure/wait-for.ts'
import { GATEWAY } from './installation.ts'
import type { Site } from './site.ts'

const FRAMES = 'document.querySelector("video").getVideoPlaybackQuality().totalVideoFrames'
const FRAMES_MIN = 20

/** Plays an embed in a page of the site, in Chromium, through Caddy. Resolves when its frames advance. */
export async function playEmbed(embedUrl: string, site: Site): Promise<void> {
  const browser = await chromium.launch({
    executablePath: await ensureChromium(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      `--host-resolver-rules=MAP *.reelgate.internal ${GATEWAY}`,
    ],
  })
  try {
    // The journey has verified Caddy's certificate; Chromium has no authorities but the public ones.
    const page = await browser.newPage({ ignoreHTTPSErrors: true })
    site.setPage(`<iframe src="${embedUrl}" allow="encrypted-media" width=640 height=360></iframe>`)
    await page.goto(`${site.baseUrl}/`)
    const { host } = new URL(embedUrl)
    const frame = await waitFor('the frame', async () =>
      page.frames().find((one) => new URL(one.url()).host === host),
    )
    await frame.waitForSelector('html[data-state="ready"]', { timeout: 30_000, state: 'attached' })
    await frame.evaluate(
      '(() => { const v = document.querySelector("video"); v.muted = true; v.loop = true; void v.play() })()',
    )
    await waitFor('frames', async () => (await frame.evaluate<number>(FRAMES)) > FRAMES_MIN, 30_000)
  } finally {
    await browser.close()
  }
}
