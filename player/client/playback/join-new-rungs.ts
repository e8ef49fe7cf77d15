import type { Engine } from './engine.ts'
import type { PublishedRungs } from './session.ts'

/** Minimum time between reloads during playback, so that rungs are joined in groups. */
const MIN_INTERVAL_MS = 20_000

/**
 * Reloads the manifest when rungs have been added: immediately while the video is paused, otherwise only from
 * time to time. On Multi-DRM each reload costs a licence: during playback it waits until the video is complete.
 * Returns a callback that takes what is published now.
 */
export function joinNewRungs(
  engine: Engine,
  video: HTMLVideoElement,
  known: number,
): (published: PublishedRungs) => void {
  let joined = known
  let published = known
  let isBusy = false
  let lastAt = -Infinity
  const join = async (): Promise<void> => {
    if (isBusy || video.ended || published <= joined) return
    isBusy = true
    lastAt = performance.now()
    const count = published
    try {
      if (await engine.reload()) joined = count
    } finally {
      isBusy = false
    }
  }
  const joinQuietly = (): void => void join().catch(() => undefined)
  video.addEventListener('pause', joinQuietly)
  return ({ count, isComplete }) => {
    published = Math.max(published, count)
    const mayInterrupt = engine.drm ? isComplete : performance.now() - lastAt >= MIN_INTERVAL_MS
    if (video.paused || mayInterrupt) joinQuietly()
  }
}
