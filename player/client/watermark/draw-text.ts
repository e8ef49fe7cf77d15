import { getter, method, plain, setter } from './built-ins.ts'
import { max, min, pixelRatio, setStyle, sliceText } from './dom.ts'

const contextOf = method('HTMLCanvasElement', 'getContext')
const setWidth = setter('HTMLCanvasElement', 'width')
const setHeight = setter('HTMLCanvasElement', 'height')
const bitmapWidth = getter('HTMLCanvasElement', 'width')
const bitmapHeight = getter('HTMLCanvasElement', 'height')
const setFont = setter('CanvasRenderingContext2D', 'font')
const setFill = setter('CanvasRenderingContext2D', 'fillStyle')
const setAlign = setter('CanvasRenderingContext2D', 'textAlign')
const setShadowColor = setter('CanvasRenderingContext2D', 'shadowColor')
const setShadowBlur = setter('CanvasRenderingContext2D', 'shadowBlur')
const measure = method('CanvasRenderingContext2D', 'measureText')
const widthOf = getter('TextMetrics', 'width')
const fillText = method('CanvasRenderingContext2D', 'fillText')
const readPixels = method('CanvasRenderingContext2D', 'getImageData')
const bytesOf = getter('ImageData', 'data')

/** Multiples of the font size, with room for the shadow, ascenders and descenders. */
const PADDING = 0.3
const LINE = 1.6
const BASELINE = 1.15
/** The font size in the bitmap. The page around the frame may enlarge it, which then still shows letters. */
const BITMAP_FONT_MIN_PX = 24
const BITMAP_WIDTH_MAX_PX = 4_096

/** The wanted size of the text and the room that it has, in CSS pixels of the window. */
interface TextSize {
  fontPx: number
  maxWidthPx: number
  maxHeightPx: number
}

/** Lines of the same number of characters differ in width. */
const UNEVEN = 1.15
const LINES_MAX = 8

/** How a text is laid out. */
interface Layout {
  lines: number
  fontPx: number
  widthPx: number
  heightPx: number
}

/**
 * Draws white text with a dark shadow and resizes the canvas to it. A text that is too wide is broken into lines, and
 * is smaller if they do not fit. `scale` is the zoom of the page's style. Returns the height in CSS pixels of the
 * window, and whether anything was drawn.
 */
export function drawText(
  canvas: HTMLCanvasElement,
  text: string,
  wanted: TextSize,
  scale: number,
): { isDrawn: boolean; heightPx: number } {
  // Kept in the computer's memory, where it can be read and is not lost with the graphics process.
  const context = contextOf(canvas, '2d', plain({ willReadFrequently: true }))
  const isRoomless = wanted.maxWidthPx === 0 || wanted.maxHeightPx === 0
  if (!context || isRoomless) return { isDrawn: false, heightPx: 0 }
  const draw = context as CanvasRenderingContext2D
  const layout = layOut(widthOfText(draw, text), wanted)
  const { fontPx, widthPx, heightPx } = layout
  const sharp = max(pixelRatio() ?? 1, BITMAP_FONT_MIN_PX / fontPx)
  const ratio = min(BITMAP_WIDTH_MAX_PX / widthPx, sharp)
  setWidth(canvas, max(1, widthPx * ratio))
  setHeight(canvas, max(1, heightPx * ratio))
  setStyle(canvas, { width: `${widthPx / scale}px`, height: `${heightPx / scale}px` })
  drawLines(draw, text, layout, ratio)
  return { isDrawn: hasInk(draw, canvas), heightPx }
}

const font = (sizePx: number): string => `600 ${sizePx}px system-ui, sans-serif`

/** Returns the width of the text, in multiples of the font size. */
function widthOfText(context: CanvasRenderingContext2D, text: string): number {
  setFont(context, font(100))
  return widthOf(measure(context, text)) / 100
}

/** Returns the layout with the largest text, and of those the one with the fewest lines. */
function layOut(widthEm: number, { fontPx, maxWidthPx, maxHeightPx }: TextSize): Layout {
  let best: Layout = { lines: 1, fontPx: 0, widthPx: 0, heightPx: 0 }
  for (let lines = 1; lines <= LINES_MAX && best.fontPx < fontPx; lines++) {
    const lineEm = (lines === 1 ? widthEm : (widthEm / lines) * UNEVEN) + 2 * PADDING
    const fitting = min(fontPx, min(maxWidthPx / lineEm, maxHeightPx / (LINE * lines)))
    if (fitting <= best.fontPx) continue
    best = { lines, fontPx: fitting, widthPx: fitting * lineEm, heightPx: fitting * LINE * lines }
  }
  return best
}

function drawLines(
  context: CanvasRenderingContext2D,
  text: string,
  { lines, fontPx, widthPx }: Layout,
  ratio: number,
): void {
  const sizePx = fontPx * ratio
  // Resizing a canvas resets its drawing state, except what it takes from its style: the direction.
  setFont(context, font(sizePx))
  setAlign(context, 'left')
  setFill(context, '#fff')
  setShadowColor(context, '#000')
  setShadowBlur(context, 0.1 * sizePx)
  const length = ceil(text.length / lines)
  for (let line = 0; line < lines; line++) {
    const part = sliceText(text, line * length, (line + 1) * length)
    const y = (line * LINE + BASELINE) * sizePx
    // Twice, for a darker shadow.
    for (let times = 0; times < 2; times++)
      fillText(context, part, PADDING * sizePx, y, widthPx * ratio - 2 * PADDING * sizePx)
  }
}

const ceil = (value: number): number => (value % 1 === 0 ? value : value - (value % 1) + 1)

/** An opacity, from 0 to 255, that only letters have, not the edge of their shadow. */
const INK = 128

/** True if any letter is drawn: an id or a font may have none that can be seen. */
function hasInk(context: CanvasRenderingContext2D, canvas: HTMLCanvasElement): boolean {
  const width = bitmapWidth(canvas)
  const height = bitmapHeight(canvas)
  const bytes = bytesOf(readPixels(context, 0, 0, width, height))
  for (let at = 3; at < width * height * 4; at += 4) if ((bytes[at] ?? 0) > INK) return true
  return false
}
