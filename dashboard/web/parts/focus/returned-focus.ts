import { useEffect, useState } from 'react'
import { lastFocused } from './last-focused.ts'
import { endNavigation, focusHeading } from './navigation-focus.ts'

/**
 * Returns the focus when the caller, a dialog, is unmounted: to what opened it, else to what had the focus before all
 * dialogs, else to the heading of the page (WCAG 2.4.3).
 */
export function useReturnedFocus(): void {
  // While it is rendered first, before the dialog takes the focus.
  const [openers] = useState(lastFocused)
  useEffect(() => {
    endNavigation()
    return () => void setTimeout(() => returnFocus(openers))
  }, [openers])
}

function returnFocus(openers: readonly (HTMLElement | null)[]): void {
  const { activeElement } = document
  // Something else has taken it, such as a further dialog.
  if (activeElement !== null && activeElement !== document.body) return
  for (const opener of openers) {
    if (opener?.isConnected !== true) continue
    opener.focus()
    if (document.activeElement !== opener) continue
    endNavigation()
    return whenRemoved(opener, focusHeading)
  }
  focusHeading()
}

/** Calls `act` if the element is removed while it has the focus, as the button in a row that the dialog has deleted. */
function whenRemoved(element: HTMLElement, act: () => void): void {
  const observer = new MutationObserver(() => {
    if (element.isConnected) return
    stop()
    if (document.activeElement === document.body) act()
  })
  function stop(): void {
    observer.disconnect()
    document.removeEventListener('focusin', stop, true)
  }
  observer.observe(document.body, { childList: true, subtree: true })
  document.addEventListener('focusin', stop, true)
}
