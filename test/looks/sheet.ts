import { writeFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { escapeHtml } from '../../domain/html.ts'

export interface Picture {
  /** JPEG. */
  bytes: Buffer
  width: number
  height: number
}

/** A row of a contact sheet: one look in all sizes. */
export interface Row {
  name: string
  pictures: Picture[]
}

/** The player of 320 pixels, the most usual of the small ones, is shown as it is. */
const LANDSCAPE_PX = 320
const PORTRAIT_PX = 128
const QUALITY = 58

/** Takes a picture of the window. */
export async function takePicture(page: Page): Promise<Picture> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  const bytes = await page.screenshot({ type: 'jpeg', quality: 85 })
  return { bytes, width, height }
}

/** Writes a contact sheet as WebP. */
export async function writeSheet(
  browser: Browser,
  title: string,
  rows: readonly Row[],
  path: string,
): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 2_900, height: 800 } })
  await page.setContent(sheetHtml(title, rows))
  await page.evaluate(() => Promise.all([...document.images].map((image) => image.decode())))
  const devtools = await page.context().newCDPSession(page)
  const { width, height } = (await page.locator('main').boundingBox()) ?? { width: 1, height: 1 }
  const { data } = await devtools.send('Page.captureScreenshot', {
    format: 'webp',
    quality: QUALITY,
    captureBeyondViewport: true,
    clip: { x: 0, y: 0, width: Math.ceil(width), height: Math.ceil(height), scale: 1 },
  })
  await writeFile(path, Buffer.from(data, 'base64'))
  await page.close()
}

function sheetHtml(title: string, rows: readonly Row[]): string {
  const sizes = rows[0]?.pictures ?? []
  return `<!doctype html><style>
body { margin: 0; font: 13px/1.4 system-ui, sans-serif }
main { width: max-content; padding: 16px; background: #6b7280; color: #fff }
h1 { margin: 0 0 8px; font-size: 20px }
table { border-spacing: 6px }
th { font-weight: 500; text-align: start; white-space: nowrap }
td { vertical-align: middle }
img { display: block }
</style><main><h1>${escapeHtml(title)}</h1><table>
<tr><th></th>${sizes.map(({ width, height }) => `<th>${width} × ${height}</th>`).join('')}</tr>
${rows.map(rowHtml).join('\n')}
</table></main>`
}

const rowHtml = ({ name, pictures }: Row): string =>
  `<tr><th>${escapeHtml(name)}</th>${pictures.map((one) => `<td>${imageHtml(one)}</td>`).join('')}</tr>`

function imageHtml({ bytes, width, height }: Picture): string {
  // Never larger than it is.
  const shown = Math.min(width, width > height ? LANDSCAPE_PX : PORTRAIT_PX)
  return `<img width="${shown}" height="${Math.round((shown * height) / width)}" src="data:image/jpeg;base64,${bytes.toString('base64')}">`
}
