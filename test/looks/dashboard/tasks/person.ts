import type { Locator, Page } from 'playwright-core'

/** What a task costs a person. */
export interface Effort {
  clicks: number
  keys: number
  /** What the browser and the driver needed, without any pause to read or to think. */
  seconds: number
  /** On the views that were passed through, as far as the window showed them. */
  words: number
}

/** A person who uses pages with pointer and keyboard, and whose effort is counted. */
export interface Person {
  page: Page
  click: (target: Locator) => Promise<void>
  /** Types into a field, which is clicked first unless it has the focus. */
  type: (field: Locator, text: string) => Promise<void>
  press: (key: string) => Promise<void>
  /** Chooses an option of a list, with two clicks. */
  choose: (list: Locator, option: string) => Promise<void>
  /** Chooses a file in the dialog of the system that a click opens. */
  chooseFile: (button: Locator, file: { name: string; text: string }) => Promise<void>
  /** Clicks the first of these that is there at once; false if none is. */
  clickIfThere: (...targets: Locator[]) => Promise<boolean>
  /** Looks at the result, which ends the task. */
  see: (result: Locator) => Promise<void>
  effort: () => Effort
}

export function personAt(page: Page): Person {
  const startedAt = performance.now()
  const effort = { clicks: 0, keys: 0, words: 0 }
  let lastView = ''
  /** The time that the counting took. */
  let pausedMs = 0
  const look = async (): Promise<void> => {
    const view = await page.evaluate(viewName)
    if (view === lastView) return
    lastView = view
    const since = performance.now()
    await page.waitForLoadState('networkidle')
    effort.words += await page.evaluate(countWords)
    pausedMs += performance.now() - since
  }
  const click = async (target: Locator): Promise<void> => {
    await target.waitFor()
    await look()
    await target.click()
    effort.clicks += 1
  }
  return {
    page,
    click,
    async type(field, text) {
      await field.waitFor()
      if (!(await field.evaluate((element) => element === document.activeElement)))
        await click(field)
      await page.keyboard.type(text)
      effort.keys += text.length
    },
    async press(key) {
      await look()
      await page.keyboard.press(key)
      effort.keys += 1
    },
    async choose(list, option) {
      await click(list)
      const isNative = await list.evaluate((element) => element instanceof HTMLSelectElement)
      if (isNative) await list.selectOption({ label: option })
      else await page.getByRole('option', { name: option }).click()
      effort.clicks += 1
    },
    async chooseFile(button, { name, text }) {
      const chosen = page.waitForEvent('filechooser')
      await click(button)
      // The file, and the button of the dialog.
      effort.clicks += 2
      const buffer = Buffer.from(text)
      await (await chosen).setFiles({ name, mimeType: 'text/vtt', buffer })
    },
    async clickIfThere(...targets) {
      for (const target of targets)
        if (await target.first().isVisible()) {
          await click(target.first())
          return true
        }
      return false
    },
    async see(result) {
      await result.waitFor()
      await look()
    },
    effort: () => ({ ...effort, seconds: (performance.now() - startedAt - pausedMs) / 1_000 }),
  }
}

/** Names what the window shows: the page, or a dialog on it. Runs in the page. */
function viewName(): string {
  const dialog = [...document.querySelectorAll('[role=dialog], dialog[open]')].at(-1)
  const heading = dialog?.querySelector('h1, h2, h3')?.textContent ?? ''
  return location.pathname + location.search + (dialog ? ` ${heading}` : '')
}

/** Counts the words in the window; with a dialog, those of the dialog. Runs in the page. */
function countWords(): number {
  const dialog = [...document.querySelectorAll('[role=dialog], dialog[open]')].at(-1)
  const texts = document.createTreeWalker(dialog ?? document.body, NodeFilter.SHOW_TEXT)
  const range = document.createRange()
  let count = 0
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const parent = node.parentElement
    if (!parent?.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
    range.selectNodeContents(node)
    const { left, right, top, bottom, width } = range.getBoundingClientRect()
    const isInWindow = right > 0 && left < innerWidth && bottom > 0 && top < innerHeight
    // Texts for screen readers alone are a pixel wide.
    if (isInWindow && width > 2 && parent.clientWidth !== 1)
      count += (node.nodeValue ?? '')
        .split(/\s+/)
        .filter((word) => /[\p{L}\p{N}]/u.test(word)).length
  }
  return count
}
