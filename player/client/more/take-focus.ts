/**
 * Focuses an element, and returns what had the focus. When the focus leaves an open menu of the settings, Media Chrome
 * closes the menu and moves the focus to its button once.
 */
export function takeFocus(one: HTMLElement | null): Element | null {
  const before = document.activeElement
  one?.focus()
  if (document.activeElement === one) return before
  const button = document.activeElement
  one?.focus()
  return button
}
