import { withoutTurns } from '../../../domain/isolate-text.ts'
import { followRate } from '../playback/chosen-rate.ts'
import type { Actions } from './actions.ts'

const SEEK_SECONDS = 10

/** Shows the title and the poster on the lock screen, and lets hardware keys control the video. */
export function connectMediaSession(video: HTMLVideoElement, actions: Actions): void {
  if (!('mediaSession' in navigator)) return
  const { mediaSession } = navigator
  const handle = (action: MediaSessionAction, handler: MediaSessionActionHandler): void => {
    try {
      mediaSession.setActionHandler(action, handler)
    } catch {
      // The browser does not know this action.
    }
  }
  handle('play', () => void video.play().catch(() => undefined))
  handle('pause', () => video.pause())
  handle('seekbackward', ({ seekOffset }) => actions.seekBy(-(seekOffset ?? SEEK_SECONDS)))
  handle('seekforward', ({ seekOffset }) => actions.seekBy(seekOffset ?? SEEK_SECONDS))
  handle('seekto', ({ seekTime }) => {
    if (seekTime !== undefined) actions.seekTo(seekTime)
  })
  const showPosition = (): void => {
    const { duration, currentTime: position } = video
    if (!Number.isFinite(duration) || position > duration) return
    mediaSession.setPositionState({ duration, position, playbackRate: rate.get() })
  }
  const rate = followRate(video, showPosition)
  for (const event of ['durationchange', 'seeked', 'playing', 'pause'])
    video.addEventListener(event, showPosition)
  // The player of the page that plays last.
  const show = (): void => void (mediaSession.metadata = metadataOf(video))
  video.addEventListener('play', show)
  if (!video.paused) show()
}

function metadataOf(video: HTMLVideoElement): MediaMetadata {
  const poster = video.dataset.poster ?? video.getAttribute('poster')
  const artwork =
    poster === null ? [] : [{ src: new URL(poster, location.href).href, type: 'image/jpeg' }]
  return new MediaMetadata({ title: withoutTurns(document.title), artwork })
}
