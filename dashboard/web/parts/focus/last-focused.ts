const ACTIONS = 'a, button, input, select, textarea, summary, [role=menuitem]'

/** What had the focus or was clicked last, anywhere and outside of dialogs. */
let last: HTMLElement | null = null
let lastOutside: HTMLElement | null = null

/** Follows the focus from here on: the code of a dialog may be loaded only after it was asked for. */
export function followFocus(): () => void {
  document.addEventListener('focusin', note, true)
  // Safari does not focus a button that is clicked.
  document.addEventListener('click', note, true)
  return () => {
    document.removeEventListener('focusin', note, true)
    document.removeEventListener('click', note, true)
  }
}

/** What had the focus last, and what had it before all dialogs. */
export const lastFocused = (): (HTMLElement | null)[] => [last, lastOutside]

function note({ target }: Event): void {
  const element = target instanceof Element ? target.closest<HTMLElement>(ACTIONS) : null
  if (!element) return
  last = buttonOfMenu(element) ?? element
  if (!last.closest('[role=dialog]')) lastOutside = last
}

/** The button of the menu that an item is in: the item is gone when its dialog closes. */
function buttonOfMenu(element: HTMLElement): HTMLElement | null {
  const menu = element.closest('[role=menu]')
  if (!menu) return null
  const id = menu.getAttribute('aria-labelledby')
  const button = id === null ? null : document.querySelector<HTMLElement>(`#${CSS.escape(id)}`)
  return button ?? document.querySelector<HTMLElement>(`[aria-controls="${CSS.escape(menu.id)}"]`)
}
