import type { PlayerContext } from '../player-context.ts'
import type { Playback } from './playback.ts'

const POSTER_AFTER_MS = 500

/**
 * Fetches the poster of a video with autoplay, and shows it only if the start is slow: painting a
 * picture that the video is about to replace would delay the first frame.
 */
export function showPosterIfSlow(video: HTMLVideoElement): void {
  const { poster } = video.dataset
  if (!poster) return
  new Image().src = poster
  setTimeout(() => {
    if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) video.poster = poster
  }, POSTER_AFTER_MS)
}

const CONTROLS_AFTER_MS = 3_000

/**
 * Resolves when building the controls no longer delays the video: after the first frame of autoplay,
 * when the video is ready or has failed, as soon as the viewer uses the page, or after three seconds.
 */
export async function waitUntilControlsCanLoad(
  { video, options }: PlayerContext,
  starting: Promise<Playback | null>,
): Promise<void> {
  const used = new Promise<void>((resolve) => {
    for (const event of ['pointermove', 'pointerdown', 'keydown', 'focusin'])
      addEventListener(event, () => resolve(), { once: true, passive: true })
  })
  const ready = starting.then(async (playback) => {
    if (playback && options.autoplay) await firstFrame(video)
  })
  await Promise.race([ready, used, delay(CONTROLS_AFTER_MS)])
}

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Resolves immediately if the browser has blocked autoplay: there is no frame to wait for. */
function firstFrame(video: HTMLVideoElement): Promise<void> {
  if (video.paused || !('requestVideoFrameCallback' in video)) return Promise.resolve()
  return new Promise((resolve) => void video.requestVideoFrameCallback(() => resolve()))
}
