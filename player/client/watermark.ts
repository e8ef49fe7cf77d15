import type { PlayerData } from '../player-data.ts'

const MOVE_EVERY_MS = 4_000
const CHECK_EVERY_MS = 1_000
/** Put back twice is an accident; more is a hand. */
const REPAIRS_MAX = 3
const SIZES = { small: '0.75rem', medium: '1rem', large: '1.5rem' } as const

/**
 * Shows the verified viewer id over the picture, moving about. It lies in a closed shadow root inside
 * the container that goes full screen; an observer and a poll of what is really painted put it back
 * where it was taken away, and `onTampered` is called where that happens again and again.
 */
export function showWatermark(
  container: HTMLElement,
  watermark: NonNullable<PlayerData['watermark']>,
  onTampered: () => void,
): void {
  let repairs = 0
  let isOver = false
  let mark = attach(container, watermark)
  const restore = (): void => {
    if (isOver) return
    repairs += 1
    mark.host.remove()
    if (repairs > REPAIRS_MAX) {
      isOver = true
      return onTampered()
    }
    mark = attach(container, watermark)
    observe()
  }
  const observer = new MutationObserver(() => {
    if (!isPainted(mark, container)) restore()
  })
  const observe = (): void => {
    observer.disconnect()
    observer.observe(container, { childList: true })
    observer.observe(mark.host, { attributes: true })
  }
  observe()
  const check = (): void => {
    if (!isPainted(mark, container)) restore()
    if (!isOver) setTimeout(check, CHECK_EVERY_MS * (0.5 + Math.random()))
  }
  check()
  setInterval(() => move(mark.text), MOVE_EVERY_MS)
}

interface Mark {
  host: HTMLElement
  text: HTMLElement
}

function attach(container: HTMLElement, watermark: NonNullable<PlayerData['watermark']>): Mark {
  const host = document.createElement('div')
  important(host, {
    all: 'initial',
    position: 'absolute',
    inset: '0',
    display: 'block',
    visibility: 'visible',
    opacity: '1',
    'z-index': '2147483647',
    'pointer-events': 'none',
    overflow: 'hidden',
  })
  const text = document.createElement('span')
  text.textContent = watermark.text
  important(text, {
    position: 'absolute',
    color: '#fff',
    opacity: String(Math.max(0.15, watermark.opacity)),
    font: `600 ${SIZES[watermark.size]} system-ui, sans-serif`,
    'text-shadow': '0 0 2px #000',
    'white-space': 'nowrap',
    transition: matchMedia('(prefers-reduced-motion: reduce)').matches
      ? 'none'
      : 'left 1s ease, top 1s ease',
  })
  host.attachShadow({ mode: 'closed' }).append(text)
  container.append(host)
  move(text)
  return { host, text }
}

function important(element: HTMLElement, style: Record<string, string>): void {
  for (const [name, value] of Object.entries(style))
    element.style.setProperty(name, value, 'important')
}

function move(text: HTMLElement): void {
  important(text, {
    left: `${Math.round(5 + Math.random() * 60)}%`,
    top: `${Math.round(8 + Math.random() * 72)}%`,
  })
}

/** Judges by what is painted, not by what was set: style sheets can be added without a mutation. */
function isPainted({ host, text }: Mark, container: HTMLElement): boolean {
  if (host.parentElement !== container) return false
  const outer = getComputedStyle(host)
  const inner = getComputedStyle(text)
  const isVisible = outer.display !== 'none' && outer.visibility === 'visible'
  const isOpaque = Number(outer.opacity) > 0.9 && Number(inner.opacity) > 0.1
  const isPlain = outer.clipPath === 'none' && outer.filter === 'none' && outer.transform === 'none'
  const frame = container.getBoundingClientRect()
  const box = host.getBoundingClientRect()
  const covers = box.width >= frame.width * 0.9 && box.height >= frame.height * 0.9
  return isVisible && isOpaque && isPlain && covers && document.pictureInPictureElement === null
}
