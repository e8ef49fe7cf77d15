import { followRate } from '../playback/chosen-rate.ts'
import type { Actions } from './actions.ts'
import type { Announcer } from './feedback.ts'
import { showRipple } from './ripple.ts'

const DOUBLE_TAP_MS = 300
const TAP_SEEK_SECONDS = 10
const HOLD_MS = 500
const HOLD_RATE = 2
/** A pointer that moves further neither taps nor holds. */
const STILL_PX = 12

interface GestureParts {
  video: HTMLVideoElement
  /** The element around the video, on which Media Chrome plays and pauses at a click. */
  container: HTMLElement
  actions: Actions
  announcer: Announcer
}

/** Connects what a pointer on the picture does besides playing and pausing, which Media Chrome does. */
export function connectGestures(parts: GestureParts): void {
  flashClicks(parts)
  seekOnDoubleTap(parts)
  fillScreenOnDoubleClick(parts)
  hurryWhileHeld(parts)
  changeVolumeOnSwipe(parts)
}

/** Shows what a click does. The second click of a double click takes the first one back; a tap does nothing. */
function flashClicks({ video, announcer }: GestureParts): void {
  video.addEventListener('click', (event) => {
    const isTap = event instanceof PointerEvent && event.pointerType === 'touch'
    if (!video.ended && !isTap && event.detail < 2) announcer.flash(video.paused ? 'play' : 'pause')
  })
}

/**
 * Makes a double tap on the left or right third of the picture seek ten seconds, and each further tap
 * ten more. Media Chrome handles single taps, which show the controls.
 */
function seekOnDoubleTap({ video, actions }: GestureParts): void {
  let last = { side: 0, atMs: -Infinity, count: 0 }
  video.addEventListener('pointerup', (event) => {
    if (event.pointerType !== 'touch') return
    const { left, width } = video.getBoundingClientRect()
    const share = (event.clientX - left) / width
    const side = share < 1 / 3 ? -1 : share > 2 / 3 ? 1 : 0
    const isDouble = side === last.side && event.timeStamp - last.atMs < DOUBLE_TAP_MS
    last = { side, atMs: event.timeStamp, count: isDouble ? last.count + 1 : 0 }
    if (!isDouble || side === 0) return
    actions.seekTo(video.currentTime + side * TAP_SEEK_SECONDS)
    showRipple(video, event, { side, seconds: last.count * side * TAP_SEEK_SECONDS })
  })
}

/** Undoes what the two clicks have done: they may come before Media Chrome has noticed the first. */
function fillScreenOnDoubleClick({ video, actions }: GestureParts): void {
  let isTouch = false
  let wasPaused = true
  video.addEventListener('pointerdown', ({ pointerType }) => (isTouch = pointerType === 'touch'))
  video.addEventListener('click', ({ detail }) => {
    if (detail === 1) wasPaused = video.paused
  })
  video.addEventListener('dblclick', () => {
    if (isTouch) return
    if (wasPaused) video.pause()
    else if (video.paused) void video.play().catch(() => undefined)
    actions.toggleFullScreen()
  })
}

/** Plays at twice the speed while a pointer is held on the picture. The click that ends it does nothing else. */
function hurryWhileHeld({ video, container, announcer }: GestureParts): void {
  const rate = followRate(video, () => undefined)
  const { dataset } = document.documentElement
  let timer: ReturnType<typeof setTimeout> | undefined
  let start = { x: 0, y: 0 }
  let rateBefore: number | null = null
  let ignoresClick = false
  const end = (): void => {
    clearTimeout(timer)
    if (rateBefore === null) return
    rate.set(rateBefore)
    rateBefore = null
    delete dataset.held
    ignoresClick = true
  }
  const hold = (): void => {
    if (video.paused || rate.get() >= HOLD_RATE) return
    rateBefore = rate.get()
    rate.set(HOLD_RATE)
    dataset.held = ''
    announcer.show(`${HOLD_RATE}×`)
  }
  video.addEventListener('pointerdown', (event) => {
    ignoresClick = false
    start = { x: event.clientX, y: event.clientY }
    clearTimeout(timer)
    if (event.isPrimary && event.button === 0) timer = setTimeout(hold, HOLD_MS)
  })
  video.addEventListener('pointermove', ({ clientX, clientY }) => {
    if (Math.hypot(clientX - start.x, clientY - start.y) > STILL_PX) clearTimeout(timer)
  })
  for (const name of ['pointerup', 'pointercancel', 'blur']) addEventListener(name, end)
  container.addEventListener(
    'click',
    (event) => {
      if (!ignoresClick) return
      ignoresClick = false
      event.stopImmediatePropagation()
    },
    { capture: true },
  )
}

/** In full screen, where a swipe scrolls nothing, a vertical one on the right half changes the volume. */
function changeVolumeOnSwipe({ video, container, actions }: GestureParts): void {
  let swipe: { x: number; y: number; volume: number; isVertical: boolean } | null = null
  const isFull = (): boolean =>
    document.fullscreenElement !== null || container.hasAttribute('mediaisfullscreen')
  video.addEventListener('pointerdown', ({ pointerType, isPrimary, clientX, clientY }) => {
    const isRight = clientX > video.clientWidth / 2
    swipe =
      pointerType === 'touch' && isPrimary && isRight && isFull()
        ? { x: clientX, y: clientY, volume: video.muted ? 0 : video.volume, isVertical: false }
        : null
  })
  video.addEventListener('pointermove', ({ clientX, clientY }) => {
    if (!swipe) return
    const up = swipe.y - clientY
    const isFar = Math.abs(up) > STILL_PX
    swipe.isVertical ||= isFar && Math.abs(up) > 2 * Math.abs(clientX - swipe.x)
    if (swipe.isVertical) actions.setVolume(swipe.volume + up / (video.clientHeight * 0.8))
  })
  for (const name of ['pointerup', 'pointercancel'])
    video.addEventListener(name, () => (swipe = null))
}
