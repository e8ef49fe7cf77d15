import {
  boxOf,
  checkVisibility,
  computedStyleOf,
  contains,
  execPattern,
  find,
  fullScreenElement,
  hostOf,
  intersect,
  isConnected,
  isEmpty,
  nodeTypeOf,
  ownerDocumentOf,
  parentOf,
  pictureInPictureElement,
  rootElement,
  rootOf,
  slotOf,
  windowBox,
  type Box,
} from './dom.ts'
import { isInTopLayer, isTopmost } from './hit-test.ts'
import { isReadable } from './readable.ts'
import type { Watermark } from './watermark.ts'

/** How a watermark was tampered with. */
export type Tampering =
  'removed' | 'moved' | 'hidden' | 'restyled' | 'covered' | 'picture_in_picture'

/** The elements of the page that matter to the watermark. */
export interface PageElements {
  container: HTMLElement
  video: HTMLVideoElement
  /** The document's root element when the guard began. */
  page: Element
}

/** Share of the height of the drawn text that must be left of it. */
const HEIGHT_MIN = 0.8
/** Share of the text that must be inside the picture; the rest allows for rounding. */
const INSIDE_MIN = 0.95
/** Share of the window that the container must fill; a browser extension's bar may take the rest. */
const FILLED_MIN = 0.6

/**
 * Returns how the watermark was tampered with, or null. Judges by what is painted, not by what was set:
 * style sheets and rules can be added without a mutation. `picture` is the visible part of the picture.
 */
export function inspect(
  watermark: Watermark,
  { container, video, page }: PageElements,
  picture: Box,
): Tampering | null {
  if (parentOf(watermark.host) !== container || !isConnected(container)) return 'removed'
  if (!contains(container, video) || ownerDocumentOf(container) !== document) return 'moved'
  // Another root element has another size, or none, while the video goes on.
  if (rootElement(document) !== page || isEmpty(windowBox())) return 'moved'
  if (isOutsideFullScreen(container)) return 'moved'
  if (pictureInPictureElement(document) !== null) return 'picture_in_picture'
  // A frame of a few pixels shows nothing of the picture.
  if (isEmpty(picture) && isTiny(windowBox())) return null
  if (!isVisible(watermark)) return 'hidden'
  if (!isReadable(watermark)) return 'restyled'
  if (!fillsWindow(container) || !isPaintedInPlace(video) || !isInside(watermark, picture))
    return 'moved'
  return isTopmost(watermark, picture) ? null : 'covered'
}

const TINY_PX = 24

const isTiny = ({ width, height }: Box): boolean => width < TINY_PX || height < TINY_PX

/** If only the video or another element is in full screen, the watermark is not shown. */
function isOutsideFullScreen(container: HTMLElement): boolean {
  const element = fullScreenElement(document)
  return element !== null && !contains(element, container)
}

const ALL_CHECKS = { opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true }

const isVisible = (watermark: Watermark): boolean =>
  watermark.isDrawn &&
  isInTopLayer(watermark) &&
  checkVisibility(watermark.host, ALL_CHECKS) !== false &&
  checkVisibility(watermark.canvas, ALL_CHECKS) !== false

function fillsWindow(container: HTMLElement): boolean {
  const all = windowBox()
  const { width, height } = intersect(boxOf(container), all)
  return width >= all.width * FILLED_MIN && height >= all.height * FILLED_MIN
}

function isInside({ canvas, heightPx }: Watermark, picture: Box): boolean {
  const box = boxOf(canvas)
  const { width, height } = intersect(box, picture)
  const isWhole = box.height >= HEIGHT_MIN * heightPx && width > 0
  return isWhole && width * height >= box.width * box.height * INSIDE_MIN
}

/**
 * True if the picture is painted only inside the video's box: its overflow is clipped, and neither the video nor
 * any element around it has a reflection or a filter that does more than change colours.
 */
function isPaintedInPlace(video: Element): boolean {
  if (!clipsPicture(computedStyleOf(video))) return false
  for (let element: Element | null = video; element; element = paintParentOf(element)) {
    const style = computedStyleOf(element)
    if ((style('-webkit-box-reflect') || 'none') !== 'none') return false
    if (!changesColorsOnly(style('filter'), element)) return false
  }
  return true
}

/** The margin is 0 in all its forms: `content-box`, `0px`. */
const NO_MARGIN = /^((content|padding|border)-box)?( ?0px)?$/

/** A video is clipped at its box unless a style sheet says otherwise. */
const clipsPicture = (style: (name: string) => string): boolean =>
  style('overflow') !== 'visible' && execPattern(NO_MARGIN, style('overflow-clip-margin')) !== null

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
