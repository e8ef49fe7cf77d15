import type { PlayerData } from '../../player-data.ts'
import { plain } from './built-ins.ts'
import {
  append,
  attachShadow,
  boxOf,
  createElement,
  hidePopover,
  max,
  min,
  pixelRatio,
  prefersReducedMotion,
  randomFraction,
  setAttribute,
  setStyle,
  showPopover,
  viewWidth,
  type Box,
} from './dom.ts'
import { drawText } from './draw-text.ts'

export type WatermarkSettings = NonNullable<PlayerData['watermark']>

/** The watermark's elements and state. */
export interface Watermark {
  /** Fills the window and is in the top layer. */
  host: HTMLElement
  /** Closed, so that no script of the page can reach the canvas. */
  root: ShadowRoot
  /** The drawn text, in the host's closed shadow root. */
  canvas: HTMLCanvasElement
  settings: WatermarkSettings
  /** Position between the edges of the picture, from 0 to 1. */
  across: number
  down: number
  isDrawn: boolean
  /** What the text was last drawn for. */
  drawnFor: string
  /** The `transform` of the inline style. */
  place: string
  /** The height that the canvas has if nothing scales it, in CSS pixels of the window. */
  heightPx: number
}

/**
 * The size of the text, as a share of the picture's shorter side. It has no upper bound, so that a page that
 * scales the frame down scales the text no more than the picture.
 */
const SIZES = { small: 0.028, medium: 0.038, large: 0.055 } as const
const FONT_MIN_PX = 11
/** Keeps the watermark readable with any settings. */
const OPACITY_MIN = 0.15
const GLIDE = 'transform 1.2s ease'

/**
 * Creates the watermark. The text is drawn, so that no style sheet, font, colour scheme or translation
 * changes it, and has a closed shadow root without name, class or id. In the top layer it is above every
 * `z-index` and outside the filters, masks and transforms of the elements around it.
 */
export function createWatermark(settings: WatermarkSettings): Watermark {
  const host = createElement(document, 'div')
  const canvas = createElement(document, 'canvas') as HTMLCanvasElement
  setAttribute(host, 'popover', 'manual')
  setStyle(host, {
    all: 'initial',
    position: 'fixed',
    inset: '0',
    width: '100%',
    height: '100%',
    display: 'block',
    overflow: 'hidden',
    visibility: 'visible',
    'z-index': '2147483647',
    'pointer-events': 'none',
    'forced-color-adjust': 'none',
  })
  setStyle(canvas, {
    all: 'initial',
    position: 'absolute',
    left: '0',
    top: '0',
    display: 'block',
    visibility: 'visible',
    opacity: `${opacityFor(settings)}`,
    'pointer-events': 'none',
  })
  const root = attachShadow(host, plain({ mode: 'closed' }))
  append(root, canvas)
  return {
    host,
    root,
    canvas,
    settings,
    across: randomFraction(),
    down: randomFraction(),
    isDrawn: false,
    drawnFor: '',
    place: '',
    heightPx: 0,
  }
}

export const opacityFor = ({ opacity }: WatermarkSettings): number =>
  min(1, max(OPACITY_MIN, opacity))

/** Moves it above all other elements of the top layer. Without popovers, its `z-index` has to suffice. */
export function raiseToTop({ host }: Watermark): void {
  try {
    hidePopover(host)
    showPopover(host)
  } catch {
    // Not in the page; the inspection reports that.
  }
}

/** Moves the watermark to a random place in the picture and redraws the text. */
export function moveToRandomPlace(watermark: Watermark, picture: Box): void {
  raiseToTop(watermark)
  // Forces a layout, so that the transition starts at the current place.
  boxOf(watermark.canvas)
  watermark.across = randomFraction()
  watermark.down = randomFraction()
  watermark.drawnFor = ''
  // A new one has no place yet in the picture from which it could glide.
  const isJump = watermark.place === '' || prefersReducedMotion()
  positionInPicture(watermark, picture, isJump ? 'none' : GLIDE)
}

/**
 * Adapts size and place to the picture, which may have been resized or moved. The place is a transform: the
 * browser reports those to no observer of the page, unlike a layout shift.
 */
export function positionInPicture(watermark: Watermark, picture: Box, transition = 'none'): void {
  const { host, canvas, settings } = watermark
  const page = boxOf(host)
  // Not 1 if the page is zoomed by its style.
  const scale = page.width / viewWidth(host) || 1
  const size = textSize(watermark, picture)
  const { fontPx, maxWidthPx, maxHeightPx } = size
  const drawnFor = `${fontPx} ${maxWidthPx} ${maxHeightPx} ${scale} ${pixelRatio()}`
  if (drawnFor !== watermark.drawnFor) {
    const { isDrawn, heightPx } = drawText(canvas, settings.text, size, scale)
    watermark.isDrawn = isDrawn
    watermark.heightPx = heightPx
  }
  watermark.drawnFor = drawnFor
  const text = boxOf(canvas)
  const x = picture.x - page.x + watermark.across * max(0, picture.width - text.width)
  const free = picture.height - text.height - underBars(picture, page)
  const y = picture.y - page.y + watermark.down * max(0, free)
  const place = `translate(${x / scale}px, ${y / scale}px)`
  if (place === watermark.place) return
  watermark.place = place
  setStyle(canvas, { transition, transform: place })
}

/** The bars of the controls at the lower edge, which are higher in large frames, and how much of the picture they may have. */
const BARS = { minPx: 74, share: 0.095, shareOfPictureMax: 0.3 }

/**
 * Returns how much of the picture the bars of the controls can cover: their texts and the watermark's are not readable
 * over each other. A constant, because a script could give the bars another size.
 */
function underBars(picture: Box, page: Box): number {
  const bars = max(BARS.minPx, BARS.share * page.height)
  const below = page.y + page.height - picture.y - picture.height
  return min(BARS.shareOfPictureMax * picture.height, max(0, bars - below))
}

/** Returns the size of the text and of the room that it has, in CSS pixels of the window. */
const textSize = (
  { settings }: Watermark,
  { width, height }: Box,
): { fontPx: number; maxWidthPx: number; maxHeightPx: number } => ({
  fontPx: max(FONT_MIN_PX, SIZES[settings.size] * min(width, height)),
  maxWidthPx: width,
  maxHeightPx: height,
})
