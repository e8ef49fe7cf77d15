import { writeFile } from 'node:fs/promises'
import type { Browser } from 'playwright-core'
import { escapeHtml } from '../../../domain/html.ts'

/** A picture of a contact sheet with what it shows. */
export interface Shot {
  caption: string
  /** PNG. */
  bytes: Buffer
  /** In pixels of the sheet. */
  width: number
}

/** A picture within a sheet. */
export interface Place {
  caption: string
  x: number
  y: number
  width: number
  height: number
}

/** A contact sheet as WebP, and where its pictures are. */
export interface Sheet {
  bytes: Buffer
  places: Place[]
}

const QUALITY = 85

/** Makes a contact sheet of rows of pictures. */
export async function makeSheet(
  browser: Browser,
  title: string,
  rows: readonly (readonly Shot[])[],
): Promise<Sheet> {
  const page = await browser.newPage({ viewport: { width: 3_400, height: 800 } })
  try {
    await page.setContent(sheetHtml(title, rows))
    await page.evaluate(() => Promise.all([...document.images].map((image) => image.decode())))
    const { width = 1, height = 1 } = (await page.locator('main').boundingBox()) ?? {}
    const devtools = await page.context().newCDPSession(page)
    const { data } = await devtools.send('Page.captureScreenshot', {
      format: 'webp',
      quality: QUALITY,
      captureBeyondViewport: true,
      clip: { x: 0, y: 0, width: Math.ceil(width), height: Math.ceil(height), scale: 1 },
    })
    const places = await page.locator('img').evaluateAll((images) =>
      images.map((image) => {
        const box = image.getBoundingClientRect()
        const caption = image.getAttribute('alt') ?? ''
        return { caption, x: box.x, y: box.y, width: box.width, height: box.height }
      }),
    )
    return { bytes: Buffer.from(data, 'base64'), places }
  } finally {
    await page.close()
  }
}

export const writeSheet = ({ bytes }: Sheet, path: string): Promise<void> => writeFile(path, bytes)

const sheetHtml = (title: string, rows: readonly (readonly Shot[])[]): string => `<!doctype html>
<style>
body { margin: 0; font: 15px/1.4 system-ui, sans-serif }
main { width: max-content; padding: 20px; background: #6b7280; color: #fff }
h1 { margin: 0 0 12px; font-size: 24px }
section { display: flex; gap: 14px; margin-bottom: 14px; align-items: start }
figure { margin: 0 }
figcaption { margin-bottom: 4px }
img { display: block }
</style><main><h1>${escapeHtml(title)}</h1>
${rows.map((shots) => `<section>${shots.map(figureHtml).join('')}</section>`).join('\n')}
</main>`

function figureHtml({ caption, bytes, width }: Shot): string {
  const text = escapeHtml(caption)
  const source = `data:image/png;base64,${bytes.toString('base64')}`
  return `<figure><figcaption>${text}</figcaption><img width="${width}" alt="${text}" src="${source}"></figure>`
}
