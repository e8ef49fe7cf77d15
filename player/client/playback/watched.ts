/** Adds up how long the film has really been playing, in seconds. */
export function countWatched(video: HTMLVideoElement): () => number {
  let seconds = 0
  let since: number | null = null
  const stop = (): void => {
    if (since !== null) seconds += (performance.now() - since) / 1000
    since = null
  }
  video.addEventListener('playing', () => {
    stop()
    since = performance.now()
  })
  for (const event of ['pause', 'waiting', 'ended', 'emptied']) video.addEventListener(event, stop)
  return () => seconds + (since === null ? 0 : (performance.now() - since) / 1000)
}
