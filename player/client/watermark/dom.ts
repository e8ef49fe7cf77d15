import { getter, method, numberOfWindow, ofWindow, setter } from './built-ins.ts'

/** Where something is in the window, in CSS pixels. */
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
const calm = matchMedia('(prefers-reduced-motion: reduce)')
const isMatch = getter('MediaQueryList', 'matches')
const abortAfter = (AbortSignal as Partial<typeof AbortSignal>).timeout?.bind(AbortSignal)

export const listen = method('EventTarget', 'addEventListener')
export const observeMutations = method('MutationObserver', 'observe')
export const forgetMutations = method('MutationObserver', 'takeRecords')
export const endMutations = method('MutationObserver', 'disconnect')
export const observeSize = method('ResizeObserver', 'observe')

export const create = method('Document', 'createElement')
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
export const kindOf = getter('Node', 'nodeType')
export const documentOf = getter('Node', 'ownerDocument')
export const isInPage = getter('Node', 'isConnected')
export const slotOf = getter('Element', 'assignedSlot')
export const hostOf = getter('ShadowRoot', 'host')
export const rootOf = method('Node', 'getRootNode')
export const showPopover = method('HTMLElement', 'showPopover')
export const hidePopover = method('HTMLElement', 'hidePopover')
export const setInert = setter('HTMLElement', 'inert')
export const isInert = getter('HTMLElement', 'inert')

export const inFullScreen = getter('Document', 'fullscreenElement')
export const inPictureInPicture = getter('Document', 'pictureInPictureElement')
export const leavePictureInPicture = method('Document', 'exitPictureInPicture')
export const elementAt = method('Document', 'elementFromPoint')
export const adoptedSheets = getter('Document', 'adoptedStyleSheets')
export const isShown = method('Element', 'checkVisibility')
export const videoWidth = getter('HTMLVideoElement', 'videoWidth')
export const videoHeight = getter('HTMLVideoElement', 'videoHeight')

export const matchText = method('RegExp', 'exec')

const htmlStyle = getter('HTMLElement', 'style')
const svgStyle = getter('SVGElement', 'style')
export const setProperty = method('CSSStyleDeclaration', 'setProperty')
export const priorityOf = method('CSSStyleDeclaration', 'getPropertyPriority')
export const propertyValue = method('CSSStyleDeclaration', 'getPropertyValue')
const computedStyle = ofWindow('getComputedStyle')
const rectOf = method('Element', 'getBoundingClientRect')
const rectX = getter('DOMRectReadOnly', 'x')
const rectY = getter('DOMRectReadOnly', 'y')
const rectWidth = getter('DOMRectReadOnly', 'width')
const rectHeight = getter('DOMRectReadOnly', 'height')
const randomValues = method('Crypto', 'getRandomValues')
const performanceNow = method('Performance', 'now')
const setTimeout = ofWindow('setTimeout')

export function inlineStyle(element: Element): CSSStyleDeclaration {
  try {
    return htmlStyle(element as HTMLElement)
  } catch {
    return svgStyle(element as SVGElement)
  }
}

/** Sets inline declarations, each `!important`: of a page's style sheets none is stronger. */
export function setStyle(element: HTMLElement, style: Record<string, string>): void {
  for (const name in style) setProperty(inlineStyle(element), name, style[name] ?? '', 'important')
}

/** Returns what reads the computed properties of an element; empty for an unknown property. */
export function styleOf(element: Element): (name: string) => string {
  const style = computedStyle(element)
  return (name) => propertyValue(style, name)
}

export function boxOf(element: Element): Box {
  const rect = rectOf(element)
  return { x: rectX(rect), y: rectY(rect), width: rectWidth(rect), height: rectHeight(rect) }
}

/** The window, without its scroll bars; empty while its frame is not shown. */
export const windowBox = (): Box => ({
  x: 0,
  y: 0,
  width: viewWidth(documentElement),
  height: viewHeight(documentElement),
})

/** The part that two boxes share; its width or height is 0 where they share none. */
export function shared(one: Box, other: Box): Box {
  const x = max(one.x, other.x)
  const y = max(one.y, other.y)
  const right = min(one.x + one.width, other.x + other.width)
  const bottom = min(one.y + one.height, other.y + other.height)
  return { x, y, width: max(0, right - x), height: max(0, bottom - y) }
}

export const pixelRatio = numberOfWindow('devicePixelRatio')

/** Whether the viewer asks for less motion. */
export const isCalm = (): boolean => isMatch(calm)

/** Whether the root element is of this kind. */
export const rootMatches = (selector: string): boolean => matches(documentElement, selector)

/** Milliseconds since the page began. */
export const now = (): number => performanceNow(performance)

/** Between 0 and 1. Three sources, of which one that is not forged is enough. */
export function chance(): number {
  const drawn = new Uint16Array(1)
  randomValues(crypto, drawn)
  return ((drawn[0] ?? 0) / 65_536 + random() + now() / 7) % 1
}

/** Calls back once after `delayMs`, by a clock that no script of the page can stop. */
export function after(delayMs: number, callback: () => void): void {
  if (abortAfter) listen(abortAfter(delayMs), 'abort', callback)
  else setTimeout(callback, delayMs)
}
