import {
  getter,
  method,
  plain,
  setter,
  windowFunction,
  windowGetter,
  windowValue,
} from './built-ins.ts'

export { captureBuiltIns } from './built-ins.ts'

/** A rectangle in the window, in CSS pixels. */
export interface Box {
  x: number
  y: number
  width: number
  height: number
}

export const listen = method('EventTarget', 'addEventListener')
export const observeMutations = method('MutationObserver', 'observe')
export const takeMutationRecords = method('MutationObserver', 'takeRecords')
export const disconnectMutations = method('MutationObserver', 'disconnect')

export const createElement = method('Document', 'createElement')
export const find = method('Document', 'querySelector')
export const rootElement = getter('Document', 'documentElement')
export const findAll = method('Document', 'querySelectorAll')
export const matches = method('Element', 'matches')
export const viewWidth = getter('Element', 'clientWidth')
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
export const shadowElementFromPoint = method('ShadowRoot', 'elementFromPoint')
export const adoptedSheets = getter('Document', 'adoptedStyleSheets')
export const checkVisibility = method('Element', 'checkVisibility')
export const pauseMedia = method('HTMLMediaElement', 'pause')
export const isPaused = getter('HTMLMediaElement', 'paused')
export const videoWidth = getter('HTMLVideoElement', 'videoWidth')
export const videoHeight = getter('HTMLVideoElement', 'videoHeight')

export const execPattern = method('RegExp', 'exec')
export const sliceText = method('String', 'slice')

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
const postTask = method('Scheduler', 'postTask')
const setTimeout = windowFunction('setTimeout')
const matchMedia = windowFunction('matchMedia')
const fetch = windowFunction('fetch')
const isMatch = getter('MediaQueryList', 'matches')
export const toNumber = windowFunction('parseFloat')
const windowWidth = windowGetter('innerWidth')
const windowHeight = windowGetter('innerHeight')
const ownCrypto = windowGetter('crypto')
const ownPerformance = windowGetter('performance')
const ownScheduler = windowGetter('scheduler')
const math = windowValue('Math')
const numbers = windowValue('Uint16Array')
const observers = windowValue('MutationObserver')

export const min = (one: number, other: number): number => (one < other ? one : other)
export const max = (one: number, other: number): number => (one > other ? one : other)

/** Creates an observer that works although its constructor is from a frame that is gone. */
export const createObserver = (callback: () => void): MutationObserver =>
  new (observers())(callback)

export function inlineStyle(element: Element): CSSStyleDeclaration {
  try {
    return htmlStyle(element as HTMLElement)
  } catch {
    return svgStyle(element as SVGElement)
  }
}

/** Sets inline declarations as `!important`, which no style sheet of the page can override. */
export function setStyle(element: HTMLElement, style: Record<string, string>): void {
  for (const name in plain(style))
    setProperty(inlineStyle(element), name, style[name] ?? '', 'important')
}

/** Returns a function that reads computed properties of an element or of its pseudo-element. Unknown ones are empty. */
export function computedStyleOf(element: Element, pseudo?: string): (name: string) => string {
  const style = computedStyle(element, pseudo)
  return (name) => propertyValue(style, name)
}

export function boxOf(element: Element): Box {
  const rect = rectOf(element)
  return { x: rectX(rect), y: rectY(rect), width: rectWidth(rect), height: rectHeight(rect) }
}

/** Returns the window's box without scroll bars. It is empty while the frame is hidden. */
export function windowBox(): Box {
  const root = rootElement(document)
  return { x: 0, y: 0, width: viewWidth(root), height: viewHeight(root) }
}

export const isEmpty = ({ width, height }: Box): boolean => width === 0 || height === 0

/**
 * True if the browser gives the frame no room, or lays out nothing in it because the frame itself has no box. Then the
 * page shows no video either.
 */
export const isFrameHidden = (): boolean =>
  windowWidth() === 0 ||
  windowHeight() === 0 ||
  checkVisibility(rootElement(document), plain({})) === false

/** Returns the intersection of two boxes. Its width or height is 0 if they do not overlap. */
export function intersect(one: Box, other: Box): Box {
  const x = max(one.x, other.x)
  const y = max(one.y, other.y)
  const right = min(one.x + one.width, other.x + other.width)
  const bottom = min(one.y + one.height, other.y + other.height)
  return { x, y, width: max(0, right - x), height: max(0, bottom - y) }
}

export const pixelRatio = windowGetter('devicePixelRatio')

export const prefersReducedMotion = (): boolean =>
  isMatch(matchMedia('(prefers-reduced-motion: reduce)'))

/** True if the root element matches the selector. */
export const rootMatches = (selector: string): boolean => matches(rootElement(document), selector)

/** Returns the milliseconds since the page was opened. */
export const now = (): number => performanceNow(ownPerformance() as Performance)

/** Returns a number from 0 to 1, unpredictable for the page. */
export function randomFraction(): number {
  const drawn = new (numbers())(1)
  randomValues(ownCrypto() as Crypto, drawn)
  return ((drawn[0] ?? 0) / 65_536 + math().random()) % 1
}

/**
 * Calls back after `delayMs`. Prefers a task of the scheduler, which no script can cancel, to a timer.
 */
export function callAfter(delayMs: number, callback: () => void): void {
  const scheduler = ownScheduler()
  if (scheduler) void postTask(scheduler, callback, plain({ delay: delayMs }))
  else setTimeout(callback, delayMs)
}

/**
 * Sends a JSON body, also while the page closes. Works although scripts have replaced the page's `fetch`, or added
 * options to all objects.
 */
export function postJson(url: string, headers: Record<string, string>, json: string): void {
  const request = plain({ method: 'POST', headers: plain(headers), body: json, keepalive: true })
  fetch(url, request).catch(() => undefined)
}
