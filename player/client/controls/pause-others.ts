const MESSAGE = 'reelgate:plays-with-sound'
/** More frames than any page needs. */
const FRAMES_MAX = 100

/**
 * Lets only one player of a page play with audio: one that starts, or is unmuted, pauses the others of this
 * Reelgate. Players without audio neither pause others nor are paused. Messages go only between frames of
 * the player's own origin.
 */
export function pauseOthers(video: HTMLVideoElement): void {
  const hasAudio = (): boolean => !video.paused && !video.muted && video.volume > 0
  const tellOthers = (): void => {
    if (!hasAudio()) return
    const { parent } = window
    for (let index = 0; index < Math.min(parent.length, FRAMES_MAX); index++) {
      const frame = parent[index]
      if (frame && frame !== window) frame.postMessage(MESSAGE, location.origin)
    }
  }
  let couldBeHeard = hasAudio()
  const follow = (): void => {
    const canBeHeard = hasAudio()
    if (canBeHeard && !couldBeHeard) tellOthers()
    couldBeHeard = canBeHeard
  }
  for (const event of ['play', 'pause', 'volumechange']) video.addEventListener(event, follow)
  window.addEventListener('message', ({ origin, source, data }) => {
    if (origin !== location.origin || source === window || data !== MESSAGE) return
    if (hasAudio()) video.pause()
  })
  tellOthers()
}
