import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { atMost, type Figure } from '../figure.ts'
import { firstFrameOf, launchBrowser, watchFirstFrame } from './browser-page.ts'
import { embedAddress } from './first-frames.ts'
import { SITE, type PlayerBenchFixture } from './fixture.ts'

const FULL_BUILD = 'shaka-player/dist/shaka-player.compiled.js'
const MOST = 0.9
/** Includes scripts that the page loads some time after the first frame. */
const PLAY_ON_MS = 3_000

/** Measures all scripts that the page loads in Chromium, compared with Shaka's full build. */
export async function measureScripts(fixture: PlayerBenchFixture): Promise<Figure[]> {
  const browser = await launchBrowser()
  try {
    const scripts = await scriptsOf(browser, embedAddress(fixture))
    for (const { url, kb } of scripts) console.error(`  … ${kb.toFixed(1)} kB gzip: ${url}`)
    const kb = scripts.reduce((sum, script) => sum + script.kb, 0)
    const sent = scripts.reduce((sum, script) => sum + script.sentKb, 0)
    const anchor = gzippedKb(await readFile(createRequire(import.meta.url).resolve(FULL_BUILD)))
    return [
      atMost('player JavaScript, gzip', kb, 'kB', { anchor, most: MOST }),
      atMost('player JavaScript, as it is sent', sent, 'kB', { anchor, most: MOST }),
    ]
  } finally {
    await browser.close()
  }
}

interface Script {
  url: string
  kb: number
  /** Compressed size of the transfer. */
  sentKb: number
}

async function scriptsOf(browser: Browser, address: string): Promise<Script[]> {
  const page = await browser.newPage()
  const loaded = new Map<string, Promise<Script>>()
  page.on('requestfinished', (request) => {
    if (request.resourceType() !== 'script') return
    const url = request.url()
    const read = async (): Promise<Script> => {
      const body = (await (await request.response())?.body()) ?? Buffer.alloc(0)
      const { responseBodySize } = await request.sizes()
      return { url, kb: gzippedKb(body), sentKb: responseBodySize / 1000 }
    }
    if (!loaded.has(url)) loaded.set(url, read())
  })
  await watchFirstFrame(page)
  await page.goto(address, { referer: SITE })
  await firstFrameOf(page)
  await page.waitForTimeout(PLAY_ON_MS)
  return Promise.all(loaded.values())
}

const gzippedKb = (body: Buffer): number => gzipSync(body, { level: 9 }).length / 1000
