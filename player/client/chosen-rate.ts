/**
 * Follows the speed that somebody chose. Shaka Player sets 0 while it waits for data, and the chosen
 * speed again after that: neither is a change, and `onChange` is told of neither.
 */
export function followRate(video: HTMLVideoElement, onChange: () => void): () => number {
  let chosen = video.playbackRate || 1
  video.addEventListener('ratechange', () => {
    if (video.playbackRate === 0 || video.playbackRate === chosen) return
    chosen = video.playbackRate
    onChange()
  })
  return () => video.playbackRate || chosen
}
