import { getter, method, setter } from './built-ins.ts'
import { max, min, pixelRatio, round, setStyle } from './dom.ts'

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
export function drawText(
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
