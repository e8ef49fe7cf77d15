import { adoptedSheets, boxOf, contains, elementFromPoint, findAll, inlineStyle } from './dom.ts'
import { isInert, matches, priorityOf, propertyValue, randomFraction, rootMatches } from './dom.ts'
import { setInert, setProperty, setStyle } from './dom.ts'
import type { Watermark } from './watermark.ts'

const allHittable = new CSSStyleSheet()
// In a layer, because important rules in layers override important rules outside of them.
allHittable.replaceSync(
  '@layer { *, *::before, *::after, *::backdrop { pointer-events: auto !important } }',
)
const TOP_LAYER = CSS.supports('selector(:popover-open)')
  ? ':is(:popover-open, :modal:not(:fullscreen))'
  : null
const HAS_TRANSITIONS = CSS.supports('selector(:active-view-transition)')

/** True if the watermark is in the top layer, or if the browser has no popovers. */
export const isInTopLayer = ({ host }: Watermark): boolean =>
  TOP_LAYER === null || matches(host, ':popover-open')

/**
 * True if nothing covers the watermark. Makes all elements react to the pointer for a moment and hit-tests
 * three random points of the text. The help sheet may cover it.
 */
export function isTopmost(watermark: Watermark, help: Element | null): boolean {
  // The images of a view transition cover everything and cannot be hit.
  if (HAS_TRANSITIONS && rootMatches(':active-view-transition')) return false
  const { x, y, width, height } = boxOf(watermark.canvas)
  return withEverythingHittable(watermark, help, () => {
    for (let third = 0; third < 3; third++) {
      const found = elementFromPoint(
        document,
        x + (width * (third + randomFraction())) / 3,
        y + height / 2,
      )
      if (found && found !== watermark.host && !(help && contains(help, found))) return false
    }
    return true
  })
}

function withEverythingHittable(
  watermark: Watermark,
  help: Element | null,
  test: () => boolean,
): boolean {
  const sheets = adoptedSheets(document)
  sheets[sheets.length] = allHittable
  setStyle(watermark.canvas, { 'pointer-events': 'auto' })
  const restore = makeOverlaysHittable(watermark, help)
  try {
    return test()
  } finally {
    restore()
    setStyle(watermark.canvas, { 'pointer-events': 'none' })
    sheets.length--
  }
}

/**
 * Makes the other elements of the top layer hittable: inline rules and `inert` can prevent that. Only
 * they can cover the watermark. Returns a function that restores them.
 */
function makeOverlaysHittable({ host }: Watermark, help: Element | null): () => void {
  const undo: (() => void)[] = []
  const found = TOP_LAYER && findAll(document, `${TOP_LAYER}, ${TOP_LAYER} *`)
  for (let index = 0, element; (element = found?.[index]); index++) {
    if (element === host || (help && contains(help, element))) continue
    undo[undo.length] = makeHittable(element)
  }
  return () => {
    for (let index = undo.length - 1; index >= 0; index--) undo[index]?.()
  }
}

const canBeInert = (element: Element): element is HTMLElement => 'inert' in element

function makeHittable(element: Element): () => void {
  const style = inlineStyle(element)
  const value = propertyValue(style, 'pointer-events')
  const priority = priorityOf(style, 'pointer-events')
  const wasInert = canBeInert(element) && isInert(element)
  setProperty(style, 'pointer-events', 'auto', 'important')
  if (wasInert) setInert(element, false)
  return () => {
    setProperty(style, 'pointer-events', value, priority)
    if (wasInert) setInert(element, true)
  }
}
