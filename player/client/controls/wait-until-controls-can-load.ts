import type { Film } from '../playback/playback.ts'
import type { Stage } from '../player-context.ts'

/** However slow the film's start is, controls are there by then. */
const LATEST_MS = 3_000

/**
 * Resolves when putting the controls together holds up nothing: the first frame is shown, or the
 * film stands ready, or cannot be played; at once where the viewer touches the page.
 */
export async function whenControlsMayCome(
  { video, options }: Stage,
  film: Promise<Film | null>,
): Promise<void> {
  const touched = new Promise<void>((resolve) => {
    for (const event of ['pointermove', 'pointerdown', 'keydown', 'focusin'])
      addEventListener(event, () => resolve(), { once: true, passive: true })
  })
  const ready = film.then(async (played) => {
    if (played && options.autoplay) await firstFrame(video)
  })
  await Promise.race([ready, touched, after(LATEST_MS)])
}

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** A film that may not start by itself shows none. */
function firstFrame(video: HTMLVideoElement): Promise<void> {
  if (video.paused || !('requestVideoFrameCallback' in video)) return Promise.resolve()
  return new Promise((resolve) => void video.requestVideoFrameCallback(() => resolve()))
}
