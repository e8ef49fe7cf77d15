import type { Words } from '../locales/words.ts'
import type { ShakaPlayer } from '../playback/shaka.ts'
import type { PlayerContext } from '../player-context.ts'

/**
 * Offers to unmute a video that the address has started muted. Not of one that is repeated: such a video is often a
 * decoration.
 */
export function offerAudio(
  player: ShakaPlayer,
  { video, options }: Pick<PlayerContext, 'video' | 'options'>,
  words: Words,
): void {
  const { autoplay, muted, loop } = options
  const isOffered = autoplay && muted && !loop && video.muted
  if (!isOffered || player.getAudioTracks().length === 0) return
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'unmute'
  button.slot = 'centered-chrome'
  button.toggleAttribute('noautohide', true)
  button.textContent = words.turnOnAudio
  button.addEventListener('click', () => (video.muted = false))
  const listening = new AbortController()
  const { signal } = listening
  video.addEventListener('playing', () => video.after(button), { signal })
  if (!video.paused) video.after(button)
  video.addEventListener(
    'volumechange',
    () => {
      if (video.muted) return
      listening.abort()
      button.remove()
    },
    { signal },
  )
}
