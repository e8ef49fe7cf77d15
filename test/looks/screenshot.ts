import { execa } from 'execa'
import type { Page } from 'playwright-core'

/** Of WebP, 0 to 100. */
const QUALITY = 85

/** Writes what a page shows as WebP. */
export async function writeScreenshot(page: Page, path: string): Promise<void> {
  const input = await page.screenshot({ scale: 'device' })
  const decoder = ['-hide_banner', '-loglevel', 'error', '-y', '-f', 'png_pipe', '-i', '-']
  const encoder = ['-c:v', 'libwebp', '-q:v', String(QUALITY), '-compression_level', '6', path]
  await execa('ffmpeg', [...decoder, ...encoder], { input })
}
