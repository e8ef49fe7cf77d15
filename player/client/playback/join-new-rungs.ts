import type { Engine } from './engine.ts'

/** Minimum time between reloads during playback, so that rungs are joined in groups. */
const MIN_INTERVAL_MS = 20_000

/**
 * Reloads the manifest when rungs have been added: immediately while the video is paused, otherwise
 * only from time to time. Returns a callback that takes the current number of renditions.
 */
export function joinNewRungs(
  engine: Engine,
  video: HTMLVideoElement,
  known: number,
): (count: number) => void {
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
      await engine.reload()
      joined = count
    } finally {
      isBusy = false
    }
  }
  const joinQuietly = (): void => void join().catch(() => undefined)
  video.addEventListener('pause', joinQuietly)
  return (count) => {
    published = Math.max(published, count)
    if (video.paused || performance.now() - lastAt >= MIN_INTERVAL_MS) joinQuietly()
  }
}
