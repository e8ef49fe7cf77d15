import { getter, method, setter, windowFunction, windowNumber } from './built-ins.ts'

/** A rectangle in the window, in CSS pixels. */
export interface Box {
  x: number
  y: number
  width: number
  height: number
}

export const { MutationObserver, ResizeObserver } = globalThis
export const { min, max, round } = Math
export const toNumber = Number.parseFloat
const { crypto, performance, AbortSignal, Uint16Array } = globalThis
const { random } = Math
const { documentElement } = document
const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)')
const isMatch = getter('MediaQueryList', 'matches')
const abortAfter = (AbortSignal as Partial<typeof AbortSignal>).timeout?.bind(AbortSignal)

export const listen = method('EventTarget', 'addEventListener')
export const observeMutations = method('MutationObserver', 'observe')
export const takeMutationRecords = method('MutationObserver', 'takeRecords')
export const disconnectMutations = method('MutationObserver', 'disconnect')
export const observeSize = method('ResizeObserver', 'observe')

export const createElement = method('Document', 'createElement')
export const find = method('Document', 'querySelector')
export const findAll = method('Document', 'querySelectorAll')
export const matches = method('Element', 'matches')
const viewWidth = getter('Element', 'clientWidth')
const viewHeight = getter('Element', 'clientHeight')
export const offsetWidth = getter('HTMLElement', 'offsetWidth')
export const append = method('Node', 'appendChild')
export const remove = method('Element', 'remove')
export const setAttribute = method('Element', 'setAttribute')
export const attachShadow = method('Element', 'attachShadow')
export const contains = method('Node', 'contains')
export const parentOf = getter('Node', 'parentNode')
export const nodeTypeOf = getter('Node', 'nodeType')
export const ownerDocumentOf = getter('Node', 'ownerDocument')
export const isConnected = getter('Node', 'isConnected')
export const slotOf = getter('Element', 'assignedSlot')
export const hostOf = getter('ShadowRoot', 'host')
export const rootOf = method('Node', 'getRootNode')
export const showPopover = method('HTMLElement', 'showPopover')
export const hidePopover = method('HTMLElement', 'hidePopover')
export const setInert = setter('HTMLElement', 'inert')
export const isInert = getter('HTMLElement', 'inert')

export const fullScreenElement = getter('Document', 'fullscreenElement')
export const pictureInPictureElement = getter('Document', 'pictureInPictureElement')
export const exitPictureInPicture = method('Document', 'exitPictureInPicture')
export const elementFromPoint = method('Document', 'elementFromPoint')
export const adoptedSheets = getter('Document', 'adoptedStyleSheets')
export const checkVisibility = method('Element', 'checkVisibility')
export const videoWidth = getter('HTMLVideoElement', 'videoWidth')
export const videoHeight = getter('HTMLVideoElement', 'videoHeight')

export const execPattern = method('RegExp', 'exec')

const htmlStyle = getter('HTMLElement', 'style')
const svgStyle = getter('SVGElement', 'style')
export const setProperty = method('CSSStyleDeclaration', 'setProperty')
export const priorityOf = method('CSSStyleDeclaration', 'getPropertyPriority')
export const propertyValue = method('CSSStyleDeclaration', 'getPropertyValue')
const computedStyle = windowFunction('getComputedStyle')
const rectOf = method('Element', 'getBoundingClientRect')
const rectX = getter('DOMRectReadOnly', 'x')
const rectY = getter('DOMRectReadOnly', 'y')
const rectWidth = getter('DOMRectReadOnly', 'width')
const rectHeight = getter('DOMRectReadOnly', 'height')
const randomValues = method('Crypto', 'getRandomValues')
const performanceNow = method('Performance', 'now')
const setTimeout = windowFunction('setTimeout')

export function inlineStyle(element: Element): CSSStyleDeclaration {
  try {
    return htmlStyle(element as HTMLElement)
  } catch {
    return svgStyle(element as SVGElement)
  }
}

/** Sets inline declarations as `!important`, which no style sheet of the page can override. */
export function setStyle(element: HTMLElement, style: Record<string, string>): void {
  for (const name in style) setProperty(inlineStyle(element), name, style[name] ?? '', 'important')
}

/** Returns a function that reads computed properties of an element. Unknown ones are empty. */
export function computedStyleOf(element: Element): (name: string) => string {
  const style = computedStyle(element)
  return (name) => propertyValue(style, name)
}

export function boxOf(element: Element): Box {
  const rect = rectOf(element)
  return { x: rectX(rect), y: rectY(rect), width: rectWidth(rect), height: rectHeight(rect) }
}

/** Returns the window's box without scroll bars. It is empty while the frame is hidden. */
export const windowBox = (): Box => ({
  x: 0,
  y: 0,
  width: viewWidth(documentElement),
  height: viewHeight(documentElement),
})

/** Returns the intersection of two boxes. Its width or height is 0 if they do not overlap. */
export function intersect(one: Box, other: Box): Box {
  const x = max(one.x, other.x)
  const y = max(one.y, other.y)
  const right = min(one.x + one.width, other.x + other.width)
  const bottom = min(one.y + one.height, other.y + other.height)
  return { x, y, width: max(0, right - x), height: max(0, bottom - y) }
}

export const pixelRatio = windowNumber('devicePixelRatio')

export const prefersReducedMotion = (): boolean => isMatch(reducedMotion)

/** True if the root element matches the selector. */
export const rootMatches = (selector: string): boolean => matches(documentElement, selector)

/** Returns the milliseconds since the page was opened. */
export const now = (): number => performanceNow(performance)

/** Returns a number from 0 to 1. Combines three sources: it is random if one of them is not forged. */
export function randomFraction(): number {
  const drawn = new Uint16Array(1)
  randomValues(crypto, drawn)
  return ((drawn[0] ?? 0) / 65_536 + random() + now() / 7) % 1
}

/** Calls back after `delayMs`. Uses an abort timeout if available, which no script can cancel. */
export function callAfter(delayMs: number, callback: () => void): void {
  if (abortAfter) listen(abortAfter(delayMs), 'abort', callback)
  else setTimeout(callback, delayMs)
}
