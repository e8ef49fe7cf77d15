import type { PlayerData } from '../../player-data.ts'
import { drawText } from './draw-text.ts'
import {
  append,
  attachShadow,
  boxOf,
  chance,
  create,
  hidePopover,
  isCalm,
  max,
  min,
} from './dom.ts'
import { pixelRatio, setAttribute, setStyle, showPopover } from './dom.ts'
import type { Box } from './dom.ts'

export type WatermarkLook = NonNullable<PlayerData['watermark']>

/** The watermark in the page. */
export interface Mark {
  /** Fills the window, in the top layer. */
  host: HTMLElement
  /** The text, in the closed shadow root of the host. */
  canvas: HTMLCanvasElement
  look: WatermarkLook
  /** Where it is between the edges of the picture, from 0 to 1. */
  across: number
  down: number
  isDrawn: boolean
  /** What it was drawn for, and its inline place. */
  size: string
  left: string
  top: string
}

const SIZES = { small: 0.028, medium: 0.038, large: 0.055 } as const
const FONT_PX = { least: 11, most: 44 }
const WIDEST = 0.9
/** Whatever the settings say, it stays readable. */
const OPACITY_LEAST = 0.15
const GLIDE = 'left 1.2s ease, top 1.2s ease'

/**
 * Makes the watermark: a drawn text, which no style sheet, font, colour scheme or translation
 * changes, in a closed shadow root without name, class or id. The top layer keeps it above all that
 * has a `z-index` and out of the filters, masks and transforms of the elements around it.
 */
export function makeMark(look: WatermarkLook): Mark {
  const host = create(document, 'div')
  const canvas = create(document, 'canvas') as HTMLCanvasElement
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
    opacity: `${opacityOf(look)}`,
    'pointer-events': 'none',
  })
  append(attachShadow(host, { mode: 'closed' }), canvas)
  return {
    host,
    canvas,
    look,
    across: chance(),
    down: chance(),
    size: '',
    left: '',
    top: '',
    isDrawn: false,
  }
}

export const opacityOf = ({ opacity }: WatermarkLook): number => min(1, max(OPACITY_LEAST, opacity))

/** Brings it above what entered the top layer since. Browsers without popovers know its `z-index`. */
export function raise({ host }: Mark): void {
  try {
    hidePopover(host)
    showPopover(host)
  } catch {
    // It is not in the page, which the inspection says.
  }
}

/** Moves to a random place in the picture and draws the text again. */
export function move(mark: Mark, picture: Box): void {
  raise(mark)
  // Where it is now, from which it glides.
  boxOf(mark.canvas)
  mark.across = chance()
  mark.down = chance()
  mark.size = ''
  place(mark, picture, isCalm() ? 'none' : GLIDE)
}

/** Keeps it in the picture, whose size and place may have changed. */
export function place(mark: Mark, picture: Box, transition = 'none'): void {
  const { host, canvas, look } = mark
  const share = SIZES[look.size] * min(picture.width, picture.height)
  const sizePx = min(FONT_PX.most, max(FONT_PX.least, share), picture.height / 2)
  const widestPx = WIDEST * picture.width
  const size = `${sizePx} ${widestPx} ${pixelRatio()}`
  if (size !== mark.size) mark.isDrawn = drawText(canvas, look.text, { sizePx, widestPx })
  mark.size = size
  const page = boxOf(host)
  const text = boxOf(canvas)
  const x = picture.x - page.x + mark.across * max(0, picture.width - text.width)
  const y = picture.y - page.y + mark.down * max(0, picture.height - text.height)
  const left = `${(x / page.width) * 100}%`
  const top = `${(y / page.height) * 100}%`
  if (left === mark.left && top === mark.top) return
  mark.left = left
  mark.top = top
  setStyle(canvas, { transition, left, top })
}
