import { element } from '../element.ts'
import type { ShakaPlayer } from '../playback/shaka.ts'
import type { Words } from '../words/words.ts'
import type { Announcer } from './announce.ts'

/** Shorter waits are not shown. */
const SPINNER_AFTER_MS = 500
const TEXT_AFTER_MS = 5_000

/**
 * Shows a spinner while the video buffers, and a text if that takes long. Media Chrome's own indicator
 * follows `readyState`, which does not change while Shaka Player buffers: it sets the rate to 0.
 */
export function showBuffering(
  player: ShakaPlayer,
  video: HTMLVideoElement,
  { words, announcer }: { words: Words; announcer: Announcer },
): void {
  const { dataset } = document.documentElement
  const place = element('waiting')
  let isWaiting = false
  let timers: ReturnType<typeof setTimeout>[] = []
  const say = (): void => {
    if (place) place.textContent = words.announce.waiting
    announcer.say(words.announce.waiting)
  }
  const stop = (): void => {
    delete dataset.buffering
    if (place?.textContent !== '') announcer.say('')
    place?.replaceChildren()
  }
  const update = (): void => {
    const isBuffering = player.isBuffering() && !video.paused
    if (isBuffering === isWaiting) return
    isWaiting = isBuffering
    for (const timer of timers) clearTimeout(timer)
    timers = []
    if (!isBuffering) return stop()
    timers = [
      setTimeout(() => (dataset.buffering = ''), SPINNER_AFTER_MS),
      setTimeout(say, TEXT_AFTER_MS),
    ]
  }
  player.addEventListener('buffering', update)
  video.addEventListener('play', update)
  video.addEventListener('pause', update)
  update()
}
