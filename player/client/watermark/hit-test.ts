import { isNative, method } from './built-ins.ts'
import {
  adoptedSheets,
  boxOf,
  elementFromPoint,
  findAll,
  inlineStyle,
  intersect,
  isInert,
  matches,
  priorityOf,
  propertyValue,
  randomFraction,
  rootMatches,
  setInert,
  setProperty,
  setStyle,
  shadowElementFromPoint,
  type Box,
} from './dom.ts'
import type { Watermark } from './watermark.ts'

const replaceRules = method('CSSStyleSheet', 'replaceSync')
let allHittable: CSSStyleSheet | null = null

/** Returns a style sheet that makes all elements react to the pointer; null if a script has replaced its constructor. */
function hittableSheet(): CSSStyleSheet | null {
  if (allHittable || !isNative('CSSStyleSheet')) return allHittable
  allHittable = new CSSStyleSheet()
  // In a layer, because important rules in layers override important rules outside of them.
  replaceRules(
    allHittable,
    '@layer { *, *::before, *::after, *::backdrop { pointer-events: auto !important } }',
  )
  return allHittable
}

const TOP_LAYER = CSS.supports('selector(:popover-open)')
  ? ':is(:popover-open, :modal:not(:fullscreen))'
  : null
const HAS_TRANSITIONS = CSS.supports('selector(:active-view-transition)')

/** True if the watermark is in the top layer, or if the browser has no popovers. */
export const isInTopLayer = ({ host }: Watermark): boolean =>
  TOP_LAYER === null || matches(host, ':popover-open')

/** Smaller texts cannot be hit. */
const HITTABLE_PX = 3

/**
 * True if nothing covers the watermark. Makes all elements react to the pointer for a moment and hit-tests
 * three random points of the text. In the document, the host has to be found there; in its shadow root the text, because
 * pseudo-elements of the host can cover it. Firefox finds there what is covered from outside.
 */
export function isTopmost(watermark: Watermark, picture: Box): boolean {
  // The images of a view transition cover everything and cannot be hit.
  if (HAS_TRANSITIONS && rootMatches(':active-view-transition')) return false
  const { host, root, canvas } = watermark
  const { x, y, width, height } = intersect(boxOf(canvas), picture)
  if (height < HITTABLE_PX) return true
  return withEverythingHittable(watermark, () => {
    for (let third = 0; third < 3; third++) {
      const across = x + (width * (third + 0.1 + 0.8 * randomFraction())) / 3
      const down = y + height / 2
      if (elementFromPoint(document, across, down) !== host) return false
      if (shadowElementFromPoint(root, across, down) !== canvas) return false
    }
    return true
  })
}

function withEverythingHittable(watermark: Watermark, test: () => boolean): boolean {
  const sheets = adoptedSheets(document)
  const sheet = hittableSheet()
  if (!sheet) return false
  sheets[sheets.length] = sheet
  setStyle(watermark.canvas, { 'pointer-events': 'auto' })
  const restore = makeOverlaysHittable(watermark)
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
function makeOverlaysHittable({ host }: Watermark): () => void {
  const undo: (() => void)[] = []
  const found = TOP_LAYER && findAll(document, `${TOP_LAYER}, ${TOP_LAYER} *`)
  for (let index = 0, element; (element = found?.[index]); index++) {
    if (element !== host) undo[undo.length] = makeHittable(element)
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
