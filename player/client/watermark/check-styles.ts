import { opacityOf } from './watermark.ts'
import type { Mark } from './watermark.ts'
import {
  find,
  hostOf,
  kindOf,
  matchText,
  parentOf,
  rootOf,
  slotOf,
  styleOf,
  toNumber,
} from './dom.ts'

const ROUNDING = 0.02
/** What has to be as it is by default; empty where the browser does not know it. */
const PLAIN: Record<string, string> = {
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
/** What keeps white text with a dark outline apart from any picture, as dark modes invert it. */
const READABLE =
  /^(none|((invert|hue-rotate|sepia|grayscale|saturate)\([^)]*\)|(brightness|contrast)\((0\.[5-9]|1)[\d.]*\)| )+)$/

/** Whether style sheets, a user's among them, leave the watermark to be read. */
export function isReadable({ host, canvas, look }: Mark): boolean {
  return looksPlain(host, 1) && looksPlain(canvas, opacityOf(look))
}

function looksPlain(element: Element, opacity: number): boolean {
  const style = styleOf(element)
  for (const name in PLAIN) if ((style(name) || PLAIN[name]) !== PLAIN[name]) return false
  const isStrong = toNumber(style('opacity')) > opacity - ROUNDING
  return isStrong && matchText(READABLE, style('filter')) !== null
}

/**
 * Whether the picture is painted in the place of the video's box and nowhere else: no reflection, and
 * no filter but those that change colours, on it and on all that it is in.
 */
export function isPaintedInPlace(video: Element): boolean {
  for (let at: Element | null = video; at; at = around(at)) {
    const style = styleOf(at)
    if ((style('-webkit-box-reflect') || 'none') !== 'none') return false
    if (!changesColorsOnly(style('filter'), at)) return false
  }
  return true
}

/** What an element is painted in: the slot that it is given to, its parent, or its root's host. */
function around(element: Element): Element | null {
  const parent = slotOf(element) ?? parentOf(element)
  const kind = parent && kindOf(parent)
  if (kind === DOCUMENT_FRAGMENT_NODE) return hostOf(parent as ShadowRoot)
  return kind === ELEMENT_NODE ? (parent as Element) : null
}

const { DOCUMENT_FRAGMENT_NODE, ELEMENT_NODE } = Node
const REFERENCE = /url\((?:"(#[a-z_][\w-]*)"\))?/gi
const COLORING = ':not(feColorMatrix, feComponentTransfer, feFuncR, feFuncG, feFuncB, feFuncA)'

/** Dark modes and corrections for the colour-blind filter by SVG; its other primitives move pixels. */
function changesColorsOnly(filter: string, element: Element): boolean {
  REFERENCE.lastIndex = 0
  for (let found; (found = matchText(REFERENCE, filter));) {
    const id = found[1]
    // The filter of a shadow tree is another one than the document's of the same id.
    if (!id || rootOf(element) !== document || find(document, `${id} ${COLORING}`)) return false
  }
  return true
}
