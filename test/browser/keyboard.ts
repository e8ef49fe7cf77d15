import type { Locator, Page } from 'playwright-core'

/** More stops than any page of the dashboard has before its last control. */
const MOST_STOPS = 90

/** A person who uses a page with the keyboard alone. */
export interface Keyboard {
  /** Presses Tab until a control has the focus. Throws if it is not reached, or if the focus cannot be seen there. */
  to(control: Locator): Promise<void>
  /** Goes to a field, replaces what is in it, and types. */
  type(field: Locator, text: string): Promise<void>
  /** Goes to a control, and presses a key there: Enter unless given. */
  press(control: Locator, key?: string): Promise<void>
}

export function keyboardOf(page: Page): Keyboard {
  const to = async (control: Locator): Promise<void> => {
    await control.waitFor()
    for (let stop = 0; stop < MOST_STOPS; stop += 1) {
      if (await control.evaluate((element) => element === document.activeElement))
        return expectVisibleFocus(control)
      await page.keyboard.press('Tab')
    }
    throw new Error(`${MOST_STOPS} presses of Tab do not reach ${String(control)}`)
  }
  return {
    to,
    async type(field, text) {
      await to(field)
      await page.keyboard.press('Control+A')
      await page.keyboard.type(text)
    },
    async press(control, key = 'Enter') {
      await to(control)
      await page.keyboard.press(key)
    },
  }
}

/** Throws if a control that has the focus looks as it does without it (WCAG 2.4.7). */
async function expectVisibleFocus(control: Locator): Promise<void> {
  const [focused, blurred] = await control.evaluate((element: HTMLElement) => {
    const look = (): string => {
      // The frame of a field with a button is the frame of its parent.
      const parts = [
        [element],
        [element.parentElement ?? element],
        // The link of a row covers the row.
        [element, '::after'],
      ] as const
      const shown = parts.map(([one, part]) => {
        const { outline, boxShadow, borderColor, backgroundColor } = getComputedStyle(one, part)
        return [outline, boxShadow, borderColor, backgroundColor]
      })
      return JSON.stringify(shown)
    }
    const settledLook = (): string => {
      look()
      for (const animation of document.getAnimations())
        if (animation instanceof CSSTransition) animation.finish()
      return look()
    }
    const before = settledLook()
    element.blur()
    const after = settledLook()
    element.focus()
    return [before, after]
  })
  if (focused === blurred) throw new Error(`the focus cannot be seen at ${String(control)}`)
}
