import type { Actions } from './actions.ts'

const DOUBLE_TAP_MS = 300
const SEEK_SECONDS = 10

/**
 * Touch: a double tap on the left or right third of the picture goes ten seconds back or on, each
 * further tap ten more. (One tap shows the controls: Media Chrome's own.)
 */
export function connectGestures(video: HTMLVideoElement, actions: Actions): void {
  let last = { side: 0, atMs: -Infinity }
  video.addEventListener('pointerup', (event) => {
    if (event.pointerType !== 'touch') return
    const { left, width } = video.getBoundingClientRect()
    const share = (event.clientX - left) / width
    const side = share < 1 / 3 ? -1 : share > 2 / 3 ? 1 : 0
    const isDouble = side === last.side && event.timeStamp - last.atMs < DOUBLE_TAP_MS
    last = { side, atMs: event.timeStamp }
    if (isDouble && side !== 0) actions.seekBy(side * SEEK_SECONDS)
  })
}
