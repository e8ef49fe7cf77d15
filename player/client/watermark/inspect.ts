import { boxOf, checkVisibility, computedStyleOf, contains, execPattern, find } from './dom.ts'
import { fullScreenElement, hostOf, intersect, isConnected, min, nodeTypeOf } from './dom.ts'
import { ownerDocumentOf, parentOf, pictureInPictureElement, rootOf, slotOf } from './dom.ts'
import { toNumber, windowBox } from './dom.ts'
import type { Box } from './dom.ts'
import { isInTopLayer, isTopmost } from './hit-test.ts'
import { opacityFor } from './watermark.ts'
import type { Watermark } from './watermark.ts'

/** How a watermark was tampered with. */
export type Tampering =
  'removed' | 'moved' | 'hidden' | 'restyled' | 'covered' | 'picture_in_picture'

/** The elements of the page that matter to the watermark. */
export interface PageElements {
  container: HTMLElement
  video: HTMLVideoElement
  /** The help sheet, which may cover the picture. */
  help: Element | null
}

const HEIGHT_MIN_PX = 8
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
  { container, video, help }: PageElements,
  picture: Box,
): Tampering | null {
  if (parentOf(watermark.host) !== container || !isConnected(container)) return 'removed'
  if (!contains(container, video) || ownerDocumentOf(container) !== document) return 'moved'
  if (isOutsideFullScreen(container)) return 'moved'
  if (pictureInPictureElement(document) !== null) return 'picture_in_picture'
  if (!isVisible(watermark)) return 'hidden'
  if (!isReadable(watermark)) return 'restyled'
  if (!fillsWindow(container) || !isPaintedInPlace(video) || !isInside(watermark, picture))
    return 'moved'
  return isTopmost(watermark, help) ? null : 'covered'
}

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

function isInside({ canvas }: Watermark, picture: Box): boolean {
  const box = boxOf(canvas)
  const { width, height } = intersect(box, picture)
  const isLegible = box.height >= min(HEIGHT_MIN_PX, picture.height / 2)
  return isLegible && width > 0 && width * height >= box.width * box.height * INSIDE_MIN
}

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
function isReadable({ host, canvas, settings }: Watermark): boolean {
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
function isPaintedInPlace(video: Element): boolean {
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
