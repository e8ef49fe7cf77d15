import type { ShakaPlayer } from './shaka.ts'

interface Size {
  width: number | null
  height: number | null
}

/**
 * Holds automatic quality to what the frame can show: no more than the smallest rung that fills it.
 * Shaka Player's own `restrictToElementSize` compares the long side of a vertical video with the
 * width of its element, so that it stays at the lowest rung.
 */
export function fitQuality(player: ShakaPlayer, video: HTMLVideoElement): void {
  let most = Infinity
  const fit = (): void => {
    const frame = {
      width: video.clientWidth * devicePixelRatio,
      height: video.clientHeight * devicePixelRatio,
    }
    const rungs = player.getVariantTracks()
    const maxPixels = mostPixels(rungs, frame)
    if (rungs.length === 0 || maxPixels === most) return
    most = maxPixels
    player.configure({ abr: { restrictions: { maxPixels } } })
  }
  // Before the first segments are chosen.
  player.addEventListener('manifestparsed', fit)
  player.addEventListener('trackschanged', fit)
  new ResizeObserver(fit).observe(video)
}

/**
 * The pixels of the smallest rung that fills a frame (in device pixels) in one direction, as
 * `object-fit: contain` shows it; infinite where no rung does.
 */
export function mostPixels(
  rungs: readonly Size[],
  frame: { width: number; height: number },
): number {
  const enough = rungs.flatMap(({ width, height }) => {
    if (!width || !height) return []
    return Math.min(frame.width / width, frame.height / height) <= 1 ? [width * height] : []
  })
  return Math.min(...enough)
}
