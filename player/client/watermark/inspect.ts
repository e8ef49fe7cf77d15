import { isPaintedInPlace, isReadable } from './check-styles.ts'
import type { Mark } from './watermark.ts'
import { boxOf, contains, documentOf, inFullScreen, inPictureInPicture, isInPage } from './dom.ts'
import { isShown, min, parentOf, shared, windowBox } from './dom.ts'
import type { Box } from './dom.ts'
import { isOnTop, isRaised } from './hit-test.ts'

/** What was done to a watermark. */
export type Tampering =
  'removed' | 'moved' | 'hidden' | 'restyled' | 'covered' | 'picture_in_picture'

export interface Scene {
  container: HTMLElement
  video: HTMLVideoElement
  /** Our own sheet of shortcuts, which covers the picture as well. */
  help: Element | null
}

const HEIGHT_LEAST_PX = 8
/** Of the text, in the picture; the rest is rounding. */
const INSIDE = 0.95
/** Of the window, filled by the container; an extension's bar may push it aside. */
const FILLED = 0.6

/**
 * Judges by what is really painted, not by what was set: style sheets can be added and rules
 * inserted without any mutation. `picture` is what the window shows of the picture. Null where the
 * watermark is as it should be.
 */
export function inspect(mark: Mark, scene: Scene, picture: Box): Tampering | null {
  const { container, video, help } = scene
  if (parentOf(mark.host) !== container || !isInPage(container)) return 'removed'
  if (!contains(container, video) || documentOf(container) !== document) return 'moved'
  if (isAloneInFullScreen(container)) return 'moved'
  if (inPictureInPicture(document) !== null) return 'picture_in_picture'
  if (!isVisible(mark)) return 'hidden'
  if (!isReadable(mark)) return 'restyled'
  if (!fillsTheWindow(container) || !isPaintedInPlace(video) || !isInside(mark, picture))
    return 'moved'
  return isOnTop(mark, help) ? null : 'covered'
}

/** The video's own full screen, or another element's, would leave the watermark behind. */
function isAloneInFullScreen(container: HTMLElement): boolean {
  const element = inFullScreen(document)
  return element !== null && !contains(element, container)
}

const ALL_WAYS = { opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true }

const isVisible = (mark: Mark): boolean =>
  mark.isDrawn &&
  isRaised(mark) &&
  isShown(mark.host, ALL_WAYS) !== false &&
  isShown(mark.canvas, ALL_WAYS) !== false

function fillsTheWindow(container: HTMLElement): boolean {
  const all = windowBox()
  const { width, height } = shared(boxOf(container), all)
  return width >= all.width * FILLED && height >= all.height * FILLED
}

function isInside({ canvas }: Mark, picture: Box): boolean {
  const box = boxOf(canvas)
  const { width, height } = shared(box, picture)
  const isLegible = box.height >= min(HEIGHT_LEAST_PX, picture.height / 2)
  return isLegible && width > 0 && width * height >= box.width * box.height * INSIDE
}
