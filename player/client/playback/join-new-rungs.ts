import type { Engine } from './engine.ts'

/** Rungs that come one after another while it plays join together. */
const APART_MS = 20_000

/**
 * Takes new rungs in when it disturbs least: at once while the film is paused,
 * otherwise now and then. Returns what is told how many renditions there are.
 */
export function joinNewRungs(
  engine: Engine,
  video: HTMLVideoElement,
  known: number,
): (count: number) => void {
  let taken = known
  let offered = known
  let isBusy = false
  let lastAt = -Infinity
  const join = async (): Promise<void> => {
    if (isBusy || video.ended || offered <= taken) return
    isBusy = true
    lastAt = performance.now()
    const count = offered
    try {
      await engine.reload()
      taken = count
    } finally {
      isBusy = false
    }
  }
  const joinQuietly = (): void => void join().catch(() => undefined)
  video.addEventListener('pause', joinQuietly)
  return (count) => {
    offered = Math.max(offered, count)
    if (video.paused || performance.now() - lastAt >= APART_MS) joinQuietly()
  }
}
