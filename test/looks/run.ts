// npm run looks: writes the pictures of the README, and contact sheets of the player in every state, look and size.
//   npm run looks -- readme                      only the pictures of the README
//   npm run looks -- poster settings             some of them, by name
//   npm run looks -- dashboard                   the contact sheets of the dashboard (`dashboard videos kit` some of them)
//   npm run looks -- dashboard --full            every picture of them, to .cache/looks
//   npm run looks -- --check                     compares new sheets of the dashboard with those that are committed
//   npm run looks -- tasks                       counts what ten tasks in the dashboard cost an owner (`--json FILE`)
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import {
  openEmbeddedPlayerFixture,
  type EmbeddedPlayerFixture,
} from '../browser/embedded-player.ts'
import { openPlayerFixture } from '../fixtures/player.ts'
import { comeTo, REFUSAL_PAGES, type RefusalPage } from '../fixtures/refusal-pages.ts'
import startTestServices from '../infrastructure/global-setup.ts'
import { checkDashboardSheets } from './dashboard/compare-sheets.ts'
import { measureTasks } from './dashboard/tasks/measure-tasks.ts'
import {
  DASHBOARD_SHEETS,
  writeDashboardSheets,
  writeWholeMatrix,
} from './dashboard/write-sheets.ts'
import { ingestLesson } from './lesson.ts'
import { LOOKS, SIZES, type Look } from './looks.ts'
import { README_PICTURES, writeReadmePictures } from './readme/pictures.ts'
import { takePicture, writeSheet, type Picture, type Row } from './sheet.ts'
import { openState, STATES, type State } from './states.ts'

const FOLDER = fileURLToPath(new URL('../../docs/player/', import.meta.url))
const START_SIZE = { width: 640, height: 360 }
/** Transitions of the player end sooner. */
const SETTLED_MS = 250
const PAGES = ['failed', 'domain-not-allowed', 'token-missing', 'open-app']

async function main(args: readonly string[]): Promise<void> {
  const [first] = args
  if (first === 'dashboard' || args.includes('--check')) return runDashboard(args)
  if (first === 'tasks') return measureTasks(args[args.indexOf('--json') + 1 || args.length])
  return writePictures(args)
}

/** Writes or checks the contact sheets of the dashboard. */
async function runDashboard(args: readonly string[]): Promise<void> {
  const known = DASHBOARD_SHEETS.filter((name) => args.includes(name))
  const names = known.length > 0 ? known : DASHBOARD_SHEETS
  if (args.includes('--full')) return writeWholeMatrix(names)
  if (!args.includes('--check')) return writeDashboardSheets(names)
  if (!(await checkDashboardSheets(names))) process.exitCode = 1
}

async function writePictures(names: readonly string[]): Promise<void> {
  const wanted = names.flatMap((name) => (name === 'readme' ? README_PICTURES : [name]))
  const isWanted = (name: string): boolean => wanted.length === 0 || wanted.includes(name)
  const pictures = README_PICTURES.filter(isWanted)
  if (pictures.length > 0) await writeReadmePictures(pictures)
  if (wanted.length === 0 || wanted.length > pictures.length) await writeSheets(isWanted)
}

async function writeSheets(isWanted: (name: string) => boolean): Promise<void> {
  await mkdir(FOLDER, { recursive: true })
  const endTestServices = await startTestServices()
  const fixture = await openEmbeddedPlayerFixture()
  try {
    const videoId = await ingestLesson(fixture)
    for (const state of STATES.filter(({ name }) => isWanted(name)))
      await write(fixture.browser, state.name, (look) => playerRow(fixture, videoId, state, look))
    for (const page of REFUSAL_PAGES)
      if (PAGES.includes(page.name) && isWanted(page.name)) await writePage(fixture.browser, page)
  } finally {
    await fixture.close()
    await endTestServices()
  }
}

async function write(
  browser: Browser,
  name: string,
  rowOf: (look: Look) => Promise<Row>,
): Promise<void> {
  const rows: Row[] = []
  for (const look of LOOKS) rows.push(await rowOf(look))
  await writeSheet(browser, name.replaceAll('-', ' '), rows, join(FOLDER, `${name}.webp`))
  process.stderr.write(`docs/player/${name}.webp\n`)
}

async function playerRow(
  fixture: EmbeddedPlayerFixture,
  videoId: string,
  state: State,
  look: Look,
): Promise<Row> {
  await fixture.configure({ ...look.settings, ...state.settings })
  const context = await fixture.browser.newContext({
    viewport: START_SIZE,
    locale: 'en',
    ...look.context,
    ...state.context,
  })
  const page = await context.newPage()
  await openState(fixture, page, videoId, state)
  const pictures = await inAllSizes(page, state.restore)
  await context.close()
  return { name: look.name, pictures }
}

async function inAllSizes(page: Page, restore?: State['restore']): Promise<Picture[]> {
  const pictures: Picture[] = []
  for (const size of SIZES) {
    await page.setViewportSize(size)
    await restore?.(page)
    await page.waitForTimeout(SETTLED_MS)
    pictures.push(await takePicture(page))
  }
  return pictures
}

/** The pages follow the viewer's system; the owner's colours are those of the player. */
async function writePage(browser: Browser, kind: RefusalPage): Promise<void> {
  const fixture = await openPlayerFixture(() => ({ appStoreUrl: 'https://store.example/app' }))
  const rowOf = async ({ name, settings, context: options }: Look): Promise<Row> => {
    const context = await browser.newContext({
      locale: 'en',
      colorScheme: settings.theme === 'light' ? 'light' : 'dark',
      ...options,
      ...(kind.userAgent === undefined ? {} : { userAgent: kind.userAgent }),
    })
    const page = await context.newPage()
    await page.goto(await comeTo(kind, fixture, 'site.example'), {
      referer: 'https://site.example/',
    })
    const pictures = await inAllSizes(page)
    await context.close()
    return { name, pictures }
  }
  const rows: Row[] = []
  for (const look of LOOKS.slice(0, PAGE_LOOKS)) rows.push(await rowOf(look))
  await writeSheet(browser, `page: ${kind.name}`, rows, join(FOLDER, `page-${kind.name}.webp`))
  process.stderr.write(`docs/player/page-${kind.name}.webp\n`)
  await fixture.close()
}

/** Dark, light, forced colours and Arabic; the others are palettes. */
const PAGE_LOOKS = 4

await main(process.argv.slice(2))
