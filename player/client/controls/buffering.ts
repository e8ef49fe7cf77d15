import type { Announcer } from './announce.ts'
import type { ShakaPlayer } from '../playback/shaka.ts'
import type { Words } from '../words/words.ts'

/** A shorter wait needs no sign. */
const SIGN_AFTER_MS = 500
const WORDS_AFTER_MS = 5_000

/**
 * Shows that the video waits for data, and says so where it takes long. Shaka Player waits by setting
 * the speed to 0: `readyState`, which Media Chrome's indicator follows, stays what it was.
 */
export function showBuffering(
  player: ShakaPlayer,
  video: HTMLVideoElement,
  { words, announcer }: { words: Words; announcer: Announcer },
): void {
  const { dataset } = document.documentElement
  const place = document.querySelector('#waiting')
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
    const waits = player.isBuffering() && !video.paused
    if (waits === isWaiting) return
    isWaiting = waits
    for (const timer of timers) clearTimeout(timer)
    timers = []
    if (!waits) return stop()
    timers = [
      setTimeout(() => (dataset.buffering = ''), SIGN_AFTER_MS),
      setTimeout(say, WORDS_AFTER_MS),
    ]
  }
  player.addEventListener('buffering', update)
  video.addEventListener('play', update)
  video.addEventListener('pause', update)
  update()
}
