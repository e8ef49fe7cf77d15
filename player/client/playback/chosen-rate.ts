/** The speed that somebody chose. */
export interface ChosenRate {
  get(): number
  set(rate: number): void
}

/**
 * Follows the speed that somebody chose, and tells `onChange` when it is another. Shaka Player sets 0
 * while it waits for data and then the speed before, which is no change; where that overtakes a speed
 * that was asked for just then, it is asked for again.
 */
export function followRate(video: HTMLVideoElement, onChange: () => void): ChosenRate {
  let chosen = video.playbackRate || 1
  let asked: number | null = null
  video.addEventListener('ratechange', () => {
    const now = video.playbackRate
    if (now === 0) return
    if (asked !== null && now !== asked) return void (video.playbackRate = asked)
    asked = null
    if (now === chosen) return
    chosen = now
    onChange()
  })
  const get = (): number => asked ?? (video.playbackRate || chosen)
  return {
    get,
    set(rate) {
      if (rate === get()) return
      asked = rate
      video.playbackRate = rate
    },
  }
}
