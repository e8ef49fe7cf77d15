import type { Mark } from './watermark.ts'
import { adoptedSheets, boxOf, chance, contains, elementAt, findAll, inlineStyle } from './dom.ts'
import { isInert, matches, priorityOf, propertyValue, setInert, setProperty } from './dom.ts'
import { rootMatches, setStyle } from './dom.ts'

const catchAll = new CSSStyleSheet()
// In a layer, what is important beats the important rules outside of layers.
catchAll.replaceSync(
  '@layer { *, *::before, *::after, *::backdrop { pointer-events: auto !important } }',
)
const ON_TOP = CSS.supports('selector(:popover-open)')
  ? ':is(:popover-open, :modal:not(:fullscreen))'
  : null
const TRANSITION = CSS.supports('selector(:active-view-transition)')

/** Whether the watermark is in the top layer, as far as the browser has popovers. */
export const isRaised = ({ host }: Mark): boolean =>
  ON_TOP === null || matches(host, ':popover-open')

/**
 * Whether the pointer would meet the watermark along its text, were everything made to take the
 * pointer. `help`, our own sheet of shortcuts, may be above.
 */
export function isOnTop(mark: Mark, help: Element | null): boolean {
  // Its pictures of the page are above everything, and take no pointer.
  if (TRANSITION && rootMatches(':active-view-transition')) return false
  const { x, y, width, height } = boxOf(mark.canvas)
  return withEverythingHit(mark, help, () => {
    for (let third = 0; third < 3; third++) {
      const found = elementAt(document, x + (width * (third + chance())) / 3, y + height / 2)
      if (found && found !== mark.host && !(help && contains(help, found))) return false
    }
    return true
  })
}

function withEverythingHit(mark: Mark, help: Element | null, look: () => boolean): boolean {
  const sheets = adoptedSheets(document)
  sheets[sheets.length] = catchAll
  setStyle(mark.canvas, { 'pointer-events': 'auto' })
  const restore = openOverlays(mark, help)
  try {
    return look()
  } finally {
    restore()
    setStyle(mark.canvas, { 'pointer-events': 'none' })
    sheets.length--
  }
}

/** Only what is in the top layer too can lie over the watermark; inline rules and `inert` hide it. */
function openOverlays({ host }: Mark, help: Element | null): () => void {
  const undo: (() => void)[] = []
  const found = ON_TOP && findAll(document, `${ON_TOP}, ${ON_TOP} *`)
  for (let at = 0; found?.[at]; at++) {
    const element = found[at] as HTMLElement
    if (element === host || (help && contains(help, element))) continue
    undo[undo.length] = openOverlay(element)
  }
  return () => {
    for (let at = undo.length - 1; at >= 0; at--) undo[at]?.()
  }
}

function openOverlay(element: HTMLElement): () => void {
  const style = inlineStyle(element)
  const value = propertyValue(style, 'pointer-events')
  const priority = priorityOf(style, 'pointer-events')
  const wasInert = 'inert' in element && isInert(element)
  setProperty(style, 'pointer-events', 'auto', 'important')
  if (wasInert) setInert(element, false)
  return () => {
    setProperty(style, 'pointer-events', value, priority)
    if (wasInert) setInert(element, true)
  }
}
