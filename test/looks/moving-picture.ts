import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import type { Page } from 'playwright-core'
import { untilReady } from '../browser/viewer.ts'

const FRAMES_PER_SECOND = 7
/** A page of the README must not load slowly. */
const SIZE_MAX_BYTES = 1_000_000

/** Uses the player as a viewer does, and writes what it shows as an animated WebP. Throws an Error if it is too large. */
export async function writeMovingPicture(page: Page, path: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'reelgate-moving-picture-'))
  try {
    const camera = record(page, folder)
    await act(page)
    await camera.stop()
    await execa(
      'ffmpeg',
      [
        ['-hide_banner', '-loglevel', 'error', '-nostdin', '-y'],
        ['-framerate', String(FRAMES_PER_SECOND), '-i', join(folder, '%04d.png')],
        // Whole frames: what libwebp_anim skips as too similar stays on the picture as blocks.
        ['-c:v', 'libwebp', '-lossless', '0', '-q:v', '30', '-compression_level', '6'],
        ['-loop', '0', path],
      ].flat(),
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  const { size } = await stat(path)
  if (size > SIZE_MAX_BYTES)
    throw new Error(`the moving picture has ${size} bytes, more than a megabyte`)
}

/** Takes pictures at a steady rate until it is stopped. */
function record(page: Page, folder: string): { stop(): Promise<void> } {
  let isOver = false
  const recording = (async () => {
    for (let number = 0; !isOver; number++) {
      const startedAt = performance.now()
      await writeFile(
        join(folder, `${String(number).padStart(4, '0')}.png`),
        await page.screenshot(),
      )
      const restMs = 1_000 / FRAMES_PER_SECOND - (performance.now() - startedAt)
      if (restMs > 0) await page.waitForTimeout(restMs)
    }
  })()
  return {
    async stop() {
      isOver = true
      await recording
    },
  }
}

/** Play, look for a place, choose a quality, read the transcript. */
async function act(page: Page): Promise<void> {
  await untilReady(page)
  await page.waitForTimeout(700)
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  await page.mouse.move(width / 2, height / 2)
  await page.mouse.click(width / 2, height / 2)
  await page.waitForTimeout(1_800)
  const bar = await page.locator('media-time-range').boundingBox()
  if (bar)
    for (const share of [0.2, 0.35, 0.5, 0.62]) {
      await page.mouse.move(bar.x + bar.width * share, bar.y + bar.height / 2, { steps: 4 })
      await page.waitForTimeout(250)
    }
  await page.mouse.down()
  await page.mouse.up()
  await page.waitForTimeout(900)
  await page.click('media-settings-menu-button')
  await page.waitForTimeout(700)
  await page.click('media-settings-menu-item:has(#captions-menu)')
  await page.waitForTimeout(700)
  await page.locator('#captions-menu .way').first().click()
  await page.waitForSelector('.transcript')
  await page.waitForTimeout(1_800)
}
