import type { Preparation } from '../../player-data.ts'

/**
 * Shows on the seek bar which parts of the video can be watched, below what is buffered; nothing once all can. For the
 * eye alone: screen readers hear when waiting begins and ends.
 */
export function showReadyParts(preparation: Preparation | null, video: HTMLVideoElement): void {
  showDuration(preparation, video)
  const shown = document.querySelector('.ready-parts')
  const duration = video.duration || preparation?.duration
  if (!preparation || !duration) return shown?.remove()
  const layer = shown ?? createLayer()
  layer.replaceChildren(
    ...preparation.ready.map(([start, end]) => {
      const part = document.createElement('span')
      part.style.left = `${(100 * start) / duration}%`
      part.style.width = `${(100 * (Math.min(end, duration) - start)) / duration}%`
      return part
    }),
  )
}

/** Media Chrome shows the duration of a loaded video. */
function showDuration(preparation: Preparation | null, video: HTMLVideoElement): void {
  if (preparation?.duration && video.readyState === HTMLMediaElement.HAVE_NOTHING)
    document
      .querySelector('time-display')
      ?.setAttribute('mediaduration', String(preparation.duration))
}

function createLayer(): HTMLElement {
  const layer = document.createElement('div')
  layer.className = 'ready-parts'
  layer.ariaHidden = 'true'
  document.querySelector('.rail')?.prepend(layer)
  return layer
}
