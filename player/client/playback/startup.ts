/** How long the film may take before its poster stands in for it. */
const PATIENCE_MS = 500

/**
 * The poster of a film that is to play by itself: fetched at once, and shown where the film takes its
 * time. Painting a picture that the film is about to replace takes the processor that begins the film.
 */
export function standInPoster(video: HTMLVideoElement): void {
  const { poster } = video.dataset
  if (!poster) return
  new Image().src = poster
  setTimeout(() => {
    if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) video.poster = poster
  }, PATIENCE_MS)
}
