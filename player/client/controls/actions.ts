import { followRate } from '../playback/chosen-rate.ts'
import { clockTime, fillIn } from '../words/words.ts'
import type { Words } from '../words/words.ts'
import type { Announcer } from './feedback.ts'

/** Actions of keys and touches. Each announces its result. */
export interface Actions {
  togglePlay(): void
  seekBy(seconds: number): void
  seekTo(seconds: number): void
  /** From 0, the start, to 1, the end. */
  seekToShare(share: number): void
  changeVolume(by: number): void
  toggleMute(): void
  toggleFullScreen(): void
  togglePictureInPicture(): void
  toggleCaptions(): void
  changeSpeed(by: number): void
}

const SPEED_MIN = 0.25
const SPEED_MAX = 2

/** Creates the actions of a video and the media controller around it. */
export function createActions(
  video: HTMLVideoElement,
  controller: HTMLElement,
  { words, announcer }: { words: Words; announcer: Announcer },
): Actions {
  const dispatch = (request: string): void =>
    void controller.dispatchEvent(new CustomEvent(request, { bubbles: true, composed: true }))
  const has = (state: string): boolean => controller.hasAttribute(state)
  const show = (text: string, values: Record<string, string | number> = {}): void =>
    announcer.show(fillIn(text, values))
  const rate = followRate(video, () => undefined)
  const seekTo = (seconds: number): void => {
    if (!Number.isFinite(video.duration)) return
    video.currentTime = Math.min(Math.max(0, seconds), video.duration)
    show(words.announce.seeked, { time: clockTime(video.currentTime) })
  }
  return {
    togglePlay() {
      announcer.flash(video.paused ? 'play' : 'pause')
      dispatch(video.paused ? 'mediaplayrequest' : 'mediapauserequest')
    },
    seekTo,
    seekBy(seconds) {
      announcer.flash(seconds < 0 ? 'back' : 'forward')
      seekTo(video.currentTime + seconds)
    },
    seekToShare: (share) => seekTo(share * video.duration),
    changeVolume(by) {
      video.volume = Math.min(1, Math.max(0, Math.round((video.volume + by) * 100) / 100))
      video.muted = video.volume === 0
      show(words.announce.volume, { percent: Math.round(video.volume * 100) })
    },
    toggleMute() {
      video.muted = !video.muted
      show(video.muted ? words.announce.muted : words.announce.unmuted)
    },
    toggleFullScreen() {
      // The controller learns of the change later than the document.
      const isFull = document.fullscreenElement !== null || has('mediaisfullscreen')
      dispatch(isFull ? 'mediaexitfullscreenrequest' : 'mediaenterfullscreenrequest')
    },
    togglePictureInPicture() {
      if (video.disablePictureInPicture) return
      dispatch(has('mediaispip') ? 'mediaexitpiprequest' : 'mediaenterpiprequest')
    },
    toggleCaptions: () => dispatch('mediatogglesubtitlesrequest'),
    changeSpeed(by) {
      rate.set(Math.min(SPEED_MAX, Math.max(SPEED_MIN, rate.get() + by)))
      show(words.announce.speed, { rate: rate.get() })
    },
  }
}

const DOUBLE_TAP_MS = 300
const TAP_SEEK_SECONDS = 10

/**
 * Makes a double tap on the left or right third of the picture seek ten seconds, and each further tap
 * ten more. Media Chrome handles single taps, which show the controls.
 */
export function connectGestures(video: HTMLVideoElement, actions: Actions): void {
  let last = { side: 0, atMs: -Infinity }
  video.addEventListener('pointerup', (event) => {
    if (event.pointerType !== 'touch') return
    const { left, width } = video.getBoundingClientRect()
    const share = (event.clientX - left) / width
    const side = share < 1 / 3 ? -1 : share > 2 / 3 ? 1 : 0
    const isDouble = side === last.side && event.timeStamp - last.atMs < DOUBLE_TAP_MS
    last = { side, atMs: event.timeStamp }
    if (isDouble && side !== 0) actions.seekBy(side * TAP_SEEK_SECONDS)
  })
}

interface FullScreenParts {
  container: HTMLElement
  video: HTMLVideoElement
  hasWatermark: boolean
  /** Asks the embedding page to let the player fill its window. Resolves to false if it cannot. */
  fillWindow: (isOn: boolean) => Promise<boolean>
}

/**
 * Replaces full screen on iPhones, where only the video element supports it: that would hide the
 * watermark and the controls. Instead the container fills the window, which needs embed.js in the
 * embedding page. Without it, the video's own full screen is used if there is no watermark.
 */
export function connectFullScreen(parts: FullScreenParts): void {
  const { webkitFullscreenEnabled }: Document & { webkitFullscreenEnabled?: boolean } = document
  if (document.fullscreenEnabled || webkitFullscreenEnabled === true) return
  const { container } = parts
  const replace = (isOn: boolean) => (event: Event) => {
    event.stopImmediatePropagation()
    void fillWindowOrScreen(parts, isOn)
  }
  container.addEventListener('mediaenterfullscreenrequest', replace(true), { capture: true })
  container.addEventListener('mediaexitfullscreenrequest', replace(false), { capture: true })
}

async function fillWindowOrScreen(
  { container, video, hasWatermark, fillWindow }: FullScreenParts,
  isOn: boolean,
): Promise<void> {
  const isFramed = window.parent !== window
  if ((await fillWindow(isOn)) || !isFramed || !isOn) {
    document.documentElement.classList.toggle('full-window', isOn)
    for (const element of [container, container.querySelector('media-fullscreen-button')])
      element?.toggleAttribute('mediaisfullscreen', isOn)
    return
  }
  const iPhoneVideo: HTMLVideoElement & { webkitEnterFullscreen?: () => void } = video
  if (!hasWatermark) iPhoneVideo.webkitEnterFullscreen?.()
}
