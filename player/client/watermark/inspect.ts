import { isPaintedInPlace, isReadable } from './check-styles.ts'
import { boxOf, checkVisibility, contains, fullScreenElement, intersect } from './dom.ts'
import { isConnected, min, ownerDocumentOf, parentOf, pictureInPictureElement } from './dom.ts'
import { windowBox } from './dom.ts'
import type { Box } from './dom.ts'
import { isInTopLayer, isTopmost } from './hit-test.ts'
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
