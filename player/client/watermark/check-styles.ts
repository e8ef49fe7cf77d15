import { computedStyleOf, execPattern, find, hostOf, nodeTypeOf, parentOf, rootOf } from './dom.ts'
import { slotOf, toNumber } from './dom.ts'
import { opacityFor } from './watermark.ts'
import type { Watermark } from './watermark.ts'

const ROUNDING = 0.02
/** Computed values that must be the default. An unknown property reads as empty, which is allowed. */
const DEFAULTS: Record<string, string> = {
  visibility: 'visible',
  'clip-path': 'none',
  clip: 'auto',
  'mask-image': 'none',
  '-webkit-mask-box-image-source': 'none',
  'mix-blend-mode': 'normal',
  transform: 'none',
  translate: 'none',
  rotate: 'none',
  scale: 'none',
  'offset-path': 'none',
  'object-fit': 'fill',
  'object-position': '50% 50%',
  'object-view-box': 'none',
  content: 'normal',
}
/** Filters that leave white text with a dark shadow readable on any picture, such as those of dark modes. */
const READABLE =
  /^(none|((invert|hue-rotate|sepia|grayscale|saturate)\([^)]*\)|(brightness|contrast)\((0\.[5-9]|1)[\d.]*\)| )+)$/

/** True if no style sheet, including the user's, makes the watermark unreadable. */
export function isReadable({ host, canvas, settings }: Watermark): boolean {
  return hasDefaultStyle(host, 1) && hasDefaultStyle(canvas, opacityFor(settings))
}

function hasDefaultStyle(element: Element, opacity: number): boolean {
  const style = computedStyleOf(element)
  for (const name in DEFAULTS) if ((style(name) || DEFAULTS[name]) !== DEFAULTS[name]) return false
  const isOpaqueEnough = toNumber(style('opacity')) > opacity - ROUNDING
  return isOpaqueEnough && execPattern(READABLE, style('filter')) !== null
}

/**
 * True if the picture is painted only inside the video's box: neither the video nor any element around
 * it has a reflection or a filter that does more than change colours.
 */
export function isPaintedInPlace(video: Element): boolean {
  for (let element: Element | null = video; element; element = paintParentOf(element)) {
    const style = computedStyleOf(element)
    if ((style('-webkit-box-reflect') || 'none') !== 'none') return false
    if (!changesColorsOnly(style('filter'), element)) return false
  }
  return true
}

/** Returns the element that this one is painted in: its slot, its parent or its shadow host. */
function paintParentOf(element: Element): Element | null {
  const parent = slotOf(element) ?? parentOf(element)
  const kind = parent && nodeTypeOf(parent)
  if (kind === DOCUMENT_FRAGMENT_NODE) return hostOf(parent as ShadowRoot)
  return kind === ELEMENT_NODE ? (parent as Element) : null
}

const { DOCUMENT_FRAGMENT_NODE, ELEMENT_NODE } = Node
const REFERENCE = /url\((?:"(#[a-z_][\w-]*)"\))?/gi
const COLORING = ':not(feColorMatrix, feComponentTransfer, feFuncR, feFuncG, feFuncB, feFuncA)'

/**
 * True if a filter only changes colours. Dark modes and corrections for colour blindness use SVG filters
 * of the document with colour primitives; other primitives can move pixels.
 */
function changesColorsOnly(filter: string, element: Element): boolean {
  REFERENCE.lastIndex = 0
  for (let found; (found = execPattern(REFERENCE, filter));) {
    const id = found[1]
    // In a shadow tree, the id may refer to another filter than in the document.
    if (!id || rootOf(element) !== document || find(document, `${id} ${COLORING}`)) return false
  }
  return true
}
