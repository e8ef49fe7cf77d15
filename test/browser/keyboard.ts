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
    // To ask the page after each press would cost most of the time of a test.
    const surely = await control.evaluate(stopsBefore)
    for (let stop = 0; stop < surely; stop += 1) await page.keyboard.press('Tab')
    for (let stop = surely; stop < MOST_STOPS; stop += 1) {
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

/** How often Tab can be pressed at least before a control has the focus: the stops between the focus and the control. Runs in the page. */
function stopsBefore(control: Element): number {
  const { activeElement } = document
  // Tab then begins where the element with the focus was.
  if (!activeElement || activeElement === document.body) return 0
  const isBefore = (one: Node, other: Node): boolean =>
    (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
  const names = new Set<string>()
  const isStop = (element: HTMLElement): boolean => {
    if (element.tabIndex < 0 || element.matches(':disabled') || element.closest('[inert]'))
      return false
    if (!element.checkVisibility({ visibilityProperty: true })) return false
    // Radios of one name are one stop.
    if (!(element instanceof HTMLInputElement) || element.type !== 'radio') return true
    const isFirst = !names.has(element.name)
    names.add(element.name)
    return isFirst
  }
  return [
    ...document.querySelectorAll<HTMLElement>(
      'a[href], button, input, select, textarea, [tabindex]',
    ),
  ].filter(
    (element) => isBefore(activeElement, element) && isBefore(element, control) && isStop(element),
  ).length
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
