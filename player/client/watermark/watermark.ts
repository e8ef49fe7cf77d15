import type { PlayerData } from '../../player-data.ts'
import { getter, method, setter } from './built-ins.ts'
import { append, attachShadow, boxOf, createElement, hidePopover, max, min } from './dom.ts'
import { pixelRatio, prefersReducedMotion, randomFraction, round, setAttribute } from './dom.ts'
import { setStyle, showPopover } from './dom.ts'
import type { Box } from './dom.ts'

export type WatermarkSettings = NonNullable<PlayerData['watermark']>

/** The watermark's elements and state. */
export interface Watermark {
  /** Fills the window and is in the top layer. */
  host: HTMLElement
  /** The drawn text, in the host's closed shadow root. */
  canvas: HTMLCanvasElement
  settings: WatermarkSettings
  /** Position between the edges of the picture, from 0 to 1. */
  across: number
  down: number
  isDrawn: boolean
  /** The sizes for which the text was drawn. */
  size: string
  /** `left` and `top` of the inline style. */
  left: string
  top: string
}

const SIZES = { small: 0.028, medium: 0.038, large: 0.055 } as const
const FONT_PX = { min: 11, max: 44 }
/** Fraction of the picture's width. */
const WIDTH_MAX = 0.9
/** Keeps the watermark readable with any settings. */
const OPACITY_MIN = 0.15
const GLIDE = 'left 1.2s ease, top 1.2s ease'

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
    display: 'block',
    visibility: 'visible',
    opacity: `${opacityFor(settings)}`,
    'pointer-events': 'none',
  })
  append(attachShadow(host, { mode: 'closed' }), canvas)
  return {
    host,
    canvas,
    settings,
    across: randomFraction(),
    down: randomFraction(),
    size: '',
    left: '',
    top: '',
    isDrawn: false,
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
  watermark.size = ''
  positionInPicture(watermark, picture, prefersReducedMotion() ? 'none' : GLIDE)
}

/** Adapts size and place to the picture, which may have been resized or moved. */
export function positionInPicture(watermark: Watermark, picture: Box, transition = 'none'): void {
  const { host, canvas, settings } = watermark
  const share = SIZES[settings.size] * min(picture.width, picture.height)
  const sizePx = min(FONT_PX.max, max(FONT_PX.min, share), picture.height / 2)
  const maxWidthPx = WIDTH_MAX * picture.width
  const size = `${sizePx} ${maxWidthPx} ${pixelRatio()}`
  if (size !== watermark.size)
    watermark.isDrawn = drawText(canvas, settings.text, { sizePx, maxWidthPx })
  watermark.size = size
  const page = boxOf(host)
  const text = boxOf(canvas)
  const x = picture.x - page.x + watermark.across * max(0, picture.width - text.width)
  const y = picture.y - page.y + watermark.down * max(0, picture.height - text.height)
  const left = `${(x / page.width) * 100}%`
  const top = `${(y / page.height) * 100}%`
  if (left === watermark.left && top === watermark.top) return
  watermark.left = left
  watermark.top = top
  setStyle(canvas, { transition, left, top })
}

const contextOf = method('HTMLCanvasElement', 'getContext')
const setWidth = setter('HTMLCanvasElement', 'width')
const setHeight = setter('HTMLCanvasElement', 'height')
const setFont = setter('CanvasRenderingContext2D', 'font')
const setFill = setter('CanvasRenderingContext2D', 'fillStyle')
const setShadowColor = setter('CanvasRenderingContext2D', 'shadowColor')
const setShadowBlur = setter('CanvasRenderingContext2D', 'shadowBlur')
const measure = method('CanvasRenderingContext2D', 'measureText')
const widthOf = getter('TextMetrics', 'width')
const fillText = method('CanvasRenderingContext2D', 'fillText')

/** Multiples of the font size, with room for the shadow, ascenders and descenders. */
const PADDING = 0.3
const LINE = 1.6
const BASELINE = 1.15
const PIXEL_RATIO_MAX = 4

/**
 * Draws white text with a dark shadow and resizes the canvas to it. A text wider than `maxWidthPx` is
 * condensed. `sizePx` is the font size; both are in CSS pixels. Returns false if the browser does not
 * provide a drawing context.
 */
function drawText(
  canvas: HTMLCanvasElement,
  text: string,
  { sizePx, maxWidthPx }: { sizePx: number; maxWidthPx: number },
): boolean {
  const context = contextOf(canvas, '2d') as CanvasRenderingContext2D | null
  if (!context) return false
  const ratio = min(PIXEL_RATIO_MAX, max(1, pixelRatio()))
  const font = `600 ${sizePx * ratio}px system-ui, sans-serif`
  const padding = PADDING * sizePx
  setFont(context, font)
  const width = min(widthOf(measure(context, text)) / ratio + 2 * padding, maxWidthPx)
  const height = LINE * sizePx
  setWidth(canvas, round(width * ratio))
  setHeight(canvas, round(height * ratio))
  setStyle(canvas, { width: `${width}px`, height: `${height}px` })
  // Resizing a canvas resets its drawing state.
  setFont(context, font)
  setFill(context, '#fff')
  setShadowColor(context, '#000')
  setShadowBlur(context, 4 * ratio)
  const x = padding * ratio
  const y = BASELINE * sizePx * ratio
  // Twice, for a darker shadow.
  for (let times = 0; times < 2; times++)
    fillText(context, text, x, y, (width - 2 * padding) * ratio)
  return true
}
