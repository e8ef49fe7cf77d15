/** The playback rate that was chosen by the viewer or the embedding page. */
export interface ChosenRate {
  get(): number
  set(rate: number): void
}

/**
 * Follows the chosen playback rate and calls `onChange` when it changes. While it buffers, Shaka Player
 * sets the rate to 0 and then back, which is not a change. If that overwrites a rate that was requested
 * in the meantime, the requested rate is set again.
 */
export function followRate(video: HTMLVideoElement, onChange: () => void): ChosenRate {
  let chosen = video.playbackRate || 1
  let requested: number | null = null
  video.addEventListener('ratechange', () => {
    const now = video.playbackRate
    if (now === 0) return
    if (requested !== null && now !== requested) return void (video.playbackRate = requested)
    requested = null
    if (now === chosen) return
    chosen = now
    onChange()
  })
  const get = (): number => requested ?? (video.playbackRate || chosen)
  return {
    get,
    set(rate) {
      if (rate === get()) return
      requested = rate
      video.playbackRate = rate
    },
  }
}
