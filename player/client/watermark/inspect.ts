import { opacityOf } from './mark.ts'
import type { Mark, WatermarkLook } from './mark.ts'

/** What was done to a watermark. */
export type Tampering =
  'removed' | 'moved' | 'hidden' | 'restyled' | 'covered' | 'picture_in_picture'

export interface Scene {
  container: HTMLElement
  video: HTMLVideoElement
  look: WatermarkLook
}

const FONT_LEAST_PX = 10
const ROUNDING = 0.02

/**
 * Judges by what is really painted, not by what was set: style sheets can be added and rules
 * inserted without any mutation. Null where the watermark is as it should be.
 */
export function inspect(mark: Mark, scene: Scene): Tampering | null {
  const { container, video } = scene
  if (mark.host.parentNode !== container || !container.isConnected) return 'removed'
  if (!container.contains(video) || isAloneInFullScreen(container)) return 'moved'
  if (document.pictureInPictureElement !== null) return 'picture_in_picture'
  const frame = container.getBoundingClientRect()
  // A frame that the site does not show at the moment shows no film either.
  if (frame.width === 0 || frame.height === 0) return null
  if (!isVisible(mark)) return 'hidden'
  if (!hasItsLook(mark, scene.look)) return 'restyled'
  if (!isInPlace(mark, frame)) return 'moved'
  return isOnTop(mark) ? null : 'covered'
}

/** The video's own full screen, or another element's, would leave the watermark behind. */
function isAloneInFullScreen(container: HTMLElement): boolean {
  const { fullscreenElement } = document
  return fullscreenElement !== null && !fullscreenElement.contains(container)
}

const ALL_WAYS = { opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true }

const isVisible = ({ host, text }: Mark): boolean =>
  [host, text].every((element) => element.checkVisibility?.(ALL_WAYS) ?? true)

function hasItsLook({ host, text }: Mark, look: WatermarkLook): boolean {
  const [outer, inner] = [getComputedStyle(host), getComputedStyle(text)]
  const isPlain = [outer, inner].every(
    ({ clipPath, filter, maskImage, mixBlendMode }) =>
      clipPath === 'none' &&
      filter === 'none' &&
      (maskImage ?? 'none') === 'none' &&
      mixBlendMode === 'normal',
  )
  const isOpaque = Number(outer.opacity) > 1 - ROUNDING
  const isStrong = Number(inner.opacity) >= opacityOf(look) - ROUNDING
  const isLegible = Number.parseFloat(inner.fontSize) >= FONT_LEAST_PX
  const isWhite = inner.color === 'rgb(255, 255, 255)' && outer.transform === 'none'
  return isPlain && isOpaque && isStrong && isLegible && isWhite && text.textContent === look.text
}

function isInPlace({ host, text }: Mark, frame: DOMRect): boolean {
  const outer = host.getBoundingClientRect()
  const inner = text.getBoundingClientRect()
  const covers = outer.width >= frame.width * 0.95 && outer.height >= frame.height * 0.95
  const across = Math.min(inner.right, frame.right) - Math.max(inner.left, frame.left)
  const down = Math.min(inner.bottom, frame.bottom) - Math.max(inner.top, frame.top)
  const area = inner.width * inner.height
  return covers && area > 0 && Math.max(0, across) * Math.max(0, down) >= area * 0.6
}

const catchAll = new CSSStyleSheet()
catchAll.replaceSync('* { pointer-events: auto !important }')

/** What the pointer would meet where the text is: the watermark, or what somebody laid over it. */
function isOnTop({ host, text }: Mark): boolean {
  const { left, top, width, height } = text.getBoundingClientRect()
  const x = Math.min(Math.max(left + width * (0.2 + Math.random() * 0.6), 1), innerWidth - 1)
  const y = Math.min(Math.max(top + height / 2, 1), innerHeight - 1)
  const sheets = document.adoptedStyleSheets
  document.adoptedStyleSheets = [...sheets, catchAll]
  text.style.setProperty('pointer-events', 'auto', 'important')
  const found = document.elementFromPoint(x, y)
  text.style.setProperty('pointer-events', 'none', 'important')
  document.adoptedStyleSheets = sheets
  // Our own sheet of shortcuts hides the picture as well.
  return found === null || found === host || found.closest('dialog#help') !== null
}
