import type { ShakaPlayer } from './shaka.ts'

interface Size {
  width: number | null
  height: number | null
}

/**
 * Limits automatic quality to the smallest rung that fills the frame. Shaka Player's own
 * `restrictToElementSize` compares the long side of a vertical video with the width of its element,
 * so that it stays at the lowest rung.
 */
export function fitQuality(player: ShakaPlayer, video: HTMLVideoElement): void {
  let limit = Infinity
  const fit = (): void => {
    const frame = {
      width: video.clientWidth * devicePixelRatio,
      height: video.clientHeight * devicePixelRatio,
    }
    const rungs = player.getVariantTracks()
    const maxPixels = mostPixels(rungs, frame)
    if (rungs.length === 0 || maxPixels === limit) return
    limit = maxPixels
    player.configure({ abr: { restrictions: { maxPixels } } })
  }
  // Fires before Shaka Player chooses the first segments.
  player.addEventListener('manifestparsed', fit)
  player.addEventListener('trackschanged', fit)
  new ResizeObserver(fit).observe(video)
}

/**
 * Returns the pixel count of the smallest rung that fills a frame (in device pixels) in one direction,
 * as `object-fit: contain` shows it. Returns infinity if no rung does.
 */
export function mostPixels(
  rungs: readonly Size[],
  frame: { width: number; height: number },
): number {
  const pixelCounts = rungs.flatMap(({ width, height }) => {
    if (!width || !height) return []
    return Math.min(frame.width / width, frame.height / height) <= 1 ? [width * height] : []
  })
  return Math.min(...pixelCounts)
}
