import { computedStyleOf, execPattern, max, min, toNumber } from './dom.ts'
import { opacityFor, type Watermark } from './watermark.ts'

const ROUNDING = 0.02
/** Computed values that must be the default. An unknown property reads as empty, which is allowed. */
const DEFAULTS: Record<string, string> = {
  visibility: 'visible',
  'clip-path': 'none',
  clip: 'auto',
  'mask-image': 'none',
  '-webkit-mask-box-image-source': 'none',
  'mix-blend-mode': 'normal',
  translate: 'none',
  rotate: 'none',
  scale: 'none',
  'offset-path': 'none',
  'object-fit': 'fill',
  'object-position': '50% 50%',
  'object-view-box': 'none',
  content: 'normal',
  perspective: 'none',
  'padding-top': '0px',
  'padding-right': '0px',
  'padding-bottom': '0px',
  'padding-left': '0px',
  'border-top-width': '0px',
  'border-right-width': '0px',
  'border-bottom-width': '0px',
  'border-left-width': '0px',
}
/** Only a move: what scales, turns or flattens has other numbers. */
const MOVED = /^(none|matrix\(1, 0, 0, 1, [^,]+, [^,]+\))$/

/** The least difference of white and black, from 0 to 1, that filters leave a text on any picture. */
const CONTRAST_MIN = 0.3

/** True if no style sheet, including the user's, makes the watermark unreadable. */
export function isReadable({ host, canvas, settings }: Watermark): boolean {
  const ofHost = computedStyleOf(host)
  const ofCanvas = computedStyleOf(canvas)
  return (
    ofHost('transform') === 'none' &&
    execPattern(MOVED, ofCanvas('transform')) !== null &&
    hasDefaults(ofHost, 1) &&
    hasDefaults(ofCanvas, opacityFor(settings)) &&
    !hasPseudoElement(host, '::before') &&
    !hasPseudoElement(host, '::after') &&
    contrastAfter(`${ofCanvas('filter')} ${ofHost('filter')}`) >= CONTRAST_MIN
  )
}

function hasDefaults(style: (name: string) => string, opacity: number): boolean {
  for (const name in DEFAULTS) if ((style(name) || DEFAULTS[name]) !== DEFAULTS[name]) return false
  return toNumber(style('opacity')) > opacity - ROUNDING
}

/** A pseudo-element of the host is painted with the text, and may cover it. */
function hasPseudoElement(host: HTMLElement, which: '::before' | '::after'): boolean {
  const content = computedStyleOf(host, which)('content')
  return content !== '' && content !== 'none' && content !== 'normal'
}

const FUNCTION = /([\w-]+)(?:\((-?[\d.]+(?:e-?\d+)?)(?:deg)?\))?/g

/**
 * Returns the difference, from 0 to 1, between what the filters make of the white letters and of their black
 * shadow. Returns 0 if one of them does more than change colours: it can blur or remove the letters.
 */
function contrastAfter(filters: string): number {
  let white = 1
  let black = 0
  FUNCTION.lastIndex = 0
  for (let found; (found = execPattern(FUNCTION, filters));) {
    const amount = toNumber(found[2] ?? '0')
    white = greyAfter(found[1] ?? '', amount, white)
    black = greyAfter(found[1] ?? '', amount, black)
  }
  return max(white - black, black - white)
}

/**
 * Returns what a filter function makes of a grey, from 0 to 1 (Filter Effects Module Level 1, section 13). All greys
 * are the same after a function that does more than change colours.
 */
function greyAfter(name: string, amount: number, grey: number): number {
  switch (name) {
    case 'none':
    case 'hue-rotate':
    case 'saturate':
    case 'grayscale':
    case 'sepia':
      return grey
    case 'brightness':
      return min(1, grey * amount)
    case 'contrast':
      return max(0, min(1, (grey - 0.5) * amount + 0.5))
    case 'invert':
      return grey + amount - 2 * amount * grey
    default:
      return 0
  }
}
