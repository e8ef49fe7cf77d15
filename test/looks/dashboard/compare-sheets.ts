import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { writeSheet, type Place, type Sheet } from './sheet.ts'
import { CACHE_FOLDER, eachSheet, SHEETS_FOLDER } from './write-sheets.ts'

/** How much a channel of a pixel may differ: WebP is lossy, and edges of letters are softened. */
const CHANNEL_MAX = 40
/** The share of the pixels of a picture that may differ by more. */
const SHARE_MAX = 0.001

/** How much of a picture of a sheet differs. */
interface Difference {
  caption: string
  /** Of its pixels, from 0 to 1. */
  share: number
}

const CHECK_FOLDER = join(CACHE_FOLDER, 'check')

/**
 * Makes the sheets with these names again, and compares them with those that are committed. Prints each picture that differs,
 * and writes its new sheet to `.cache/looks/check/`. Resolves to false if one differs.
 */
export async function checkDashboardSheets(names: readonly string[]): Promise<boolean> {
  let isSame = true
  await eachSheet(names, async (name, sheet, { browser }) => {
    const committed = await readFile(join(SHEETS_FOLDER, `${name}.webp`)).catch(() => null)
    const report = committed ? await reportOf(browser, sheet, committed) : ['  is not committed']
    const lines = report.length === 0 ? [`${name}: as committed`] : [`${name}:`, ...report]
    process.stdout.write(`${lines.join('\n')}\n`)
    if (report.length === 0) return
    isSame = false
    await mkdir(CHECK_FOLDER, { recursive: true })
    await writeSheet(sheet, join(CHECK_FOLDER, `${name}.webp`))
  })
  return isSame
}

async function reportOf(browser: Browser, sheet: Sheet, committed: Buffer): Promise<string[]> {
  if (sheet.bytes.equals(committed)) return []
  const differences = await compareSheets(browser, sheet, committed)
  return differences
    .filter(({ share }) => share > SHARE_MAX)
    .map(({ caption, share }) => `  ${caption}: ${(share * 100).toFixed(1)} % of it differ`)
}

/** Compares each picture of a sheet with what another one has in its place. A sheet of another size differs wholly. */
async function compareSheets(browser: Browser, sheet: Sheet, other: Buffer): Promise<Difference[]> {
  const page = await browser.newPage()
  try {
    const urls = [sheet.bytes, other].map((it) => `data:image/webp;base64,${it.toString('base64')}`)
    const shares = await page.evaluate(differingShares, {
      urls,
      places: sheet.places,
      channelMax: CHANNEL_MAX,
    })
    return sheet.places.map(({ caption }, index) => ({ caption, share: shares[index] ?? 1 }))
  } finally {
    await page.close()
  }
}

interface Comparison {
  urls: string[]
  places: Place[]
  channelMax: number
}

/** Runs in the page. */
async function differingShares({ urls, places, channelMax }: Comparison): Promise<number[]> {
  const pictures = await Promise.all(
    urls.map(async (url) => createImageBitmap(await (await fetch(url)).blob())),
  )
  const [mine, theirs] = pictures
  const isOfSameSize = mine?.width === theirs?.width && mine?.height === theirs?.height
  if (!mine || !theirs || !isOfSameSize) return places.map(() => 1)
  const pixelsOf = (picture: ImageBitmap, { x, y, width, height }: Place): Uint8ClampedArray => {
    const canvas = new OffscreenCanvas(Math.floor(width), Math.floor(height))
    const context = canvas.getContext('2d')
    context?.drawImage(picture, -Math.ceil(x), -Math.ceil(y))
    return context?.getImageData(0, 0, canvas.width, canvas.height).data ?? new Uint8ClampedArray()
  }
  return places.map((place) => {
    const [a, b] = [pixelsOf(mine, place), pixelsOf(theirs, place)]
    let count = 0
    for (let index = 0; index < a.length; index += 4)
      if (
        [0, 1, 2].some(
          (channel) => Math.abs((a[index + channel] ?? 0) - (b[index + channel] ?? 0)) > channelMax,
        )
      )
        count += 1
    return count / (a.length / 4)
  })
}
