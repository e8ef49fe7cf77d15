import type { Announcer } from './announce.ts'
import { followRate } from '../playback/chosen-rate.ts'
import { clockTime, fillIn } from '../words/fill-in.ts'
import type { Words } from '../words/words.ts'

/** What keys and touches do; each says what it did. */
export interface Actions {
  togglePlay(): void
  seekBy(seconds: number): void
  seekTo(seconds: number): void
  /** 0 is the start, 1 the end. */
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

/** Connects the actions to the video and to the media controller that holds it. */
export function createActions(
  video: HTMLVideoElement,
  controller: HTMLElement,
  { words, announcer }: { words: Words; announcer: Announcer },
): Actions {
  const ask = (request: string): void =>
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
    togglePlay: () => ask(video.paused ? 'mediaplayrequest' : 'mediapauserequest'),
    seekTo,
    seekBy: (seconds) => seekTo(video.currentTime + seconds),
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
      // The controller hears of it later than the document.
      const isFull = document.fullscreenElement !== null || has('mediaisfullscreen')
      ask(isFull ? 'mediaexitfullscreenrequest' : 'mediaenterfullscreenrequest')
    },
    togglePictureInPicture() {
      if (video.disablePictureInPicture) return
      ask(has('mediaispip') ? 'mediaexitpiprequest' : 'mediaenterpiprequest')
    },
    toggleCaptions: () => ask('mediatogglesubtitlesrequest'),
    changeSpeed(by) {
      rate.set(Math.min(SPEED_MAX, Math.max(SPEED_MIN, rate.get() + by)))
      show(words.announce.speed, { rate: rate.get() })
    },
  }
}
