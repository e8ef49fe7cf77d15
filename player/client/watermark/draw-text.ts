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

/** Of the size of the font: room for the shadow, ascenders and descenders. */
const PADDING = 0.3
const LINE = 1.6
const BASELINE = 1.15
const SHARPEST = 4

/**
 * Draws white text with a dark shadow, and gives the canvas its size. A text wider than `widestPx` is
 * condensed. `sizePx` is that of the font; both are CSS pixels. Returns false where the browser does
 * not let the page draw.
 */
export function drawText(
  canvas: HTMLCanvasElement,
  text: string,
  { sizePx, widestPx }: { sizePx: number; widestPx: number },
): boolean {
  const context = contextOf(canvas, '2d') as CanvasRenderingContext2D | null
  if (!context) return false
  const sharpness = min(SHARPEST, max(1, pixelRatio()))
  const font = `600 ${sizePx * sharpness}px system-ui, sans-serif`
  const padding = PADDING * sizePx
  setFont(context, font)
  const width = min(widthOf(measure(context, text)) / sharpness + 2 * padding, widestPx)
  const height = LINE * sizePx
  setWidth(canvas, round(width * sharpness))
  setHeight(canvas, round(height * sharpness))
  setStyle(canvas, { width: `${width}px`, height: `${height}px` })
  // A canvas forgets all this with a new size.
  setFont(context, font)
  setFill(context, '#fff')
  setShadowColor(context, '#000')
  setShadowBlur(context, 4 * sharpness)
  const x = padding * sharpness
  const y = BASELINE * sizePx * sharpness
  // The second time for a darker shadow.
  for (let times = 0; times < 2; times++)
    fillText(context, text, x, y, (width - 2 * padding) * sharpness)
  return true
}
