/** Media Chrome's name: its seek bar sends this event, too. */
const SEEK_REQUEST = 'mediaseekrequest'

/** Seeks for the viewer, or for the page around the player. A seek during a load leads to its place after the load. */
export function seekTo(video: HTMLVideoElement, seconds: number): void {
  // It does not bubble: the controller would seek for a second time.
  video.dispatchEvent(new CustomEvent(SEEK_REQUEST, { detail: seconds }))
  video.currentTime = seconds
}

/** Calls `onSeek` with the place of every seek of the viewer, before it is made. */
export function followSeekRequests(onSeek: (seconds: number) => void, signal?: AbortSignal): void {
  const follow = (event: Event): void => {
    const place: unknown = event instanceof CustomEvent ? event.detail : null
    if (typeof place === 'number') onSeek(place)
  }
  addEventListener(SEEK_REQUEST, follow, { capture: true, ...(signal && { signal }) })
}

/** Shaka Player moves a playhead again that is exactly where it was before it was moved to the place of the load. */
const ELSEWHERE_SECONDS = 1e-5

/**
 * Runs a load that begins at `seconds`. Without data, a video has no position: until the load has ended, it shows that place,
 * or the one to which the viewer seeks meanwhile, and goes there as soon as it can.
 */
export async function keepingPlace(
  video: HTMLVideoElement,
  seconds: number | null,
  load: () => Promise<unknown>,
): Promise<void> {
  let sought: number | null = null
  const stop = new AbortController()
  const { signal } = stop
  followSeekRequests((place) => (sought = place), signal)
  const show = (): void => {
    const place = sought ?? seconds
    if (place !== null) video.currentTime = place
  }
  video.addEventListener('emptied', show, { signal })
  const end = (): void => {
    stop.abort()
    if (sought !== null) video.currentTime = sought + ELSEWHERE_SECONDS
  }
  try {
    await load()
  } catch (error) {
    stop.abort()
    throw error
  }
  if (video.readyState > HTMLMediaElement.HAVE_NOTHING) return end()
  video.addEventListener('loadedmetadata', end, { signal })
  // The next load keeps the place by itself.
  video.addEventListener('emptied', () => stop.abort(), { signal })
}
