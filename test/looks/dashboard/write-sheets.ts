import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { choosePictures, everyPicture, type Choice } from './choose-pictures.ts'
import { KIT_SHEET, makeKitSheet } from './kit-sheet.ts'
import { SHOWN_PAGES, type ShownPage } from './pages.ts'
import { makeSheet, writeSheet, type Sheet, type Shot } from './sheet.ts'
import { openStudio, type OpenStudio } from './studio.ts'
import { takeShownPage } from './visit.ts'

export const SHEETS_FOLDER = fileURLToPath(new URL('../../../docs/dashboard/', import.meta.url))
export const CACHE_FOLDER = fileURLToPath(new URL('../../../.cache/looks/', import.meta.url))

/** The names of all sheets. */
export const DASHBOARD_SHEETS = [...SHOWN_PAGES.map(({ name }) => name), KIT_SHEET]

/** Writes the contact sheets of the pages with these names. */
export const writeDashboardSheets = (names: readonly string[]): Promise<void> =>
  eachSheet(names, async (name, sheet) => {
    await mkdir(SHEETS_FOLDER, { recursive: true })
    await writeSheet(sheet, join(SHEETS_FOLDER, `${name}.webp`))
    process.stderr.write(`docs/dashboard/${name}.webp\n`)
  })

/** Makes the contact sheets with these names, one after the other. */
export async function eachSheet(
  names: readonly string[],
  use: (name: string, sheet: Sheet, studio: OpenStudio) => Promise<void>,
): Promise<void> {
  const studio = await openStudio()
  try {
    for (const page of SHOWN_PAGES)
      if (names.includes(page.name)) await use(page.name, await makePageSheet(studio, page), studio)
    if (names.includes(KIT_SHEET)) await use(KIT_SHEET, await makeKitSheet(studio.browser), studio)
  } finally {
    await studio.close()
  }
}

/** Widths on the sheet, for windows that are wider. */
const SHOWN_PX: Record<number, number> = { 360: 360, 768: 560, 1440: 960, 2560: 1_080 }

const SHEET_ROWS = [[360, 768], [1440], [2560]]

async function makePageSheet(studio: OpenStudio, page: ShownPage): Promise<Sheet> {
  const shots: [width: number, shot: Shot][] = []
  for (const choice of choosePictures(page.states)) {
    const { width } = choice.window
    const bytes = await takeShownPage(studio.browser, studio, page, choice)
    shots.push([width, { caption: captionOf(choice), bytes, width: SHOWN_PX[width] ?? width }])
  }
  const rows = SHEET_ROWS.map((widths) =>
    shots.filter(([width]) => widths.includes(width)).map(([, shot]) => shot),
  )
  return makeSheet(studio.browser, page.name, rows)
}

const captionOf = ({ window, scheme, language, state }: Choice): string =>
  `${window.width} px · ${scheme} · ${language} · ${state}`

/** Writes every picture of the pages with these names to `.cache/looks/`. */
export async function writeWholeMatrix(names: readonly string[]): Promise<void> {
  const studio = await openStudio()
  try {
    for (const page of SHOWN_PAGES.filter(({ name }) => names.includes(name))) {
      const folder = join(CACHE_FOLDER, page.name)
      await mkdir(folder, { recursive: true })
      for (const choice of everyPicture(page.states)) {
        const bytes = await takeShownPage(studio.browser, studio, page, choice)
        const file = captionOf(choice).replaceAll(' · ', '.').replaceAll(' ', '-')
        await writeFile(join(folder, `${file}.png`), bytes)
      }
      process.stderr.write(`.cache/looks/${page.name}/\n`)
    }
  } finally {
    await studio.close()
  }
}
