import type { Preparation } from '../../player-data.ts'

/**
 * Shows on the seek bar which parts of the film can be watched, below what is buffered; nothing once all can. For the
 * eye alone: screen readers hear when waiting begins and ends.
 */
export function showReadyParts(preparation: Preparation | null, video: HTMLVideoElement): void {
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

function createLayer(): HTMLElement {
  const layer = document.createElement('div')
  layer.className = 'ready-parts'
  layer.ariaHidden = 'true'
  document.querySelector('.rail')?.prepend(layer)
  return layer
}
