import type { PlayerExtras } from '../../player-data.ts'
import { clockTime } from '../words/fill-in.ts'

/**
 * Puts a dot on the seek bar for each moment; its label shows above it, and pressing it goes there.
 * The menu of moments is the way for keyboards and screen readers.
 */
export function addMoments(video: HTMLVideoElement, moments: PlayerExtras['moments']): void {
  const rail = document.querySelector<HTMLElement>('#moments')
  if (!rail || moments.length === 0) return
  const dots = moments.map(({ label, timestamp }) => {
    const dot = document.createElement('span')
    dot.className = 'moment'
    dot.dataset.label = `${clockTime(timestamp)} ${label}`
    dot.addEventListener('click', () => (video.currentTime = timestamp))
    return { dot, timestamp }
  })
  const place = (): void => {
    const { duration } = video
    if (!Number.isFinite(duration) || duration <= 0) return
    for (const { dot, timestamp } of dots) {
      dot.hidden = timestamp > duration
      const share = Math.min(1, timestamp / duration)
      dot.style.setProperty('--at', String(share))
      dot.classList.toggle('late', share > 0.5)
    }
  }
  rail.replaceChildren(...dots.map(({ dot }) => dot))
  video.addEventListener('durationchange', place)
  place()
}
