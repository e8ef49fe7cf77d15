import type { Browser, Page } from 'playwright-core'
import { openKitServer } from '../../browser/dashboard-kit-server.ts'
import type { Look } from './choose-pictures.ts'
import { makeSheet, type Sheet, type Shot } from './sheet.ts'
import { openLook, settle } from './visit.ts'

export const KIT_SHEET = 'kit'

const LOOKS: readonly Pick<Look, 'scheme' | 'language'>[] = [
  { scheme: 'light', language: 'en' },
  { scheme: 'dark', language: 'en' },
  { scheme: 'forced colours', language: 'en' },
  { scheme: 'light', language: 'ar' },
]

const WINDOW = { width: 1440, height: 1000 } as const
const SHOWN_PX = 780

const openPart = (button: string, shown: string) => async (page: Page) => {
  await page.getByRole('button', { name: button }).click()
  await page.locator(shown).first().waitFor()
}

/** All parts, and those that lie above others. */
const VIEWS = [
  { address: '#all', isWhole: true },
  { address: '', open: openPart('Open modal', '[role=dialog]'), isWhole: false },
  { address: '', open: openPart('Open menu', '[role=menu]'), isWhole: false },
]

/** Makes the sheet of the page with all parts of the kit. */
export async function makeKitSheet(browser: Browser): Promise<Sheet> {
  const server = await openKitServer()
  try {
    const rows: Shot[][] = [[], [], []]
    for (const look of LOOKS) {
      const context = await openLook(browser, { window: WINDOW, ...look })
      const page = await context.newPage()
      const caption = `${look.scheme} · ${look.language}`
      for (const [index, { address, open, isWhole }] of VIEWS.entries()) {
        await page.goto('about:blank')
        await page.goto(server.url + address)
        await settle(page, 'one')
        await open?.(page)
        const bytes = await page.screenshot({
          fullPage: isWhole,
          animations: 'disabled',
          caret: 'hide',
        })
        rows[index]?.push({ caption, bytes, width: SHOWN_PX })
      }
      await context.close()
    }
    return await makeSheet(browser, 'the parts of the kit', rows)
  } finally {
    await server.close()
  }
}
