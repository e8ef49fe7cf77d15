import { clockTime, fillIn, type Words } from '../locales/words.ts'
import { followRate } from '../playback/chosen-rate.ts'
import { seekTo } from '../playback/seek.ts'
import type { Announcer } from './feedback.ts'
import type { PartLoop } from './loop.ts'
import { noPictureInPicture } from './picture-in-picture.ts'

/** Actions of keys and touches. Each announces its result. */
export interface Actions {
  togglePlay(): void
  seekBy(seconds: number): void
  seekTo(seconds: number): void
  /** From 0, the start, to 1, the end. */
  seekToShare(share: number): void
  changeVolume(by: number): void
  /** From 0 to 1; other values count as the nearest of them. */
  setVolume(volume: number): void
  toggleMute(): void
  toggleFullScreen(): void
  togglePictureInPicture(): void
  toggleCaptions(): void
  /** Pauses and moves by whole frames; by less than none, back. */
  stepFrame(by: number): void
  startLoop(): void
  endLoop(): void
  stopLoop(): void
  changeSpeed(by: number): void
}

const SPEED_MIN = 0.25
const SPEED_MAX = 2
/** Of a video that does not say. */
const FRAMES_PER_SECOND = 30

interface ActionParts {
  words: Words
  announcer: Announcer
  loop: PartLoop
  /** Frames per second of the video that plays; null if it is unknown. */
  frameRate: () => number | null
}

/** Creates the actions of a video and the media controller around it. */
export function createActions(
  video: HTMLVideoElement,
  controller: HTMLElement,
  { words, announcer, loop, frameRate }: ActionParts,
): Actions {
  const dispatch = (request: string): void =>
    void controller.dispatchEvent(new CustomEvent(request, { bubbles: true, composed: true }))
  const has = (state: string): boolean => controller.hasAttribute(state)
  const show = (text: string, values: Record<string, string | number> = {}): void =>
    announcer.show(fillIn(text, values))
  const rate = followRate(video, () => undefined)
  const duration = followDuration(video)
  const moveTo = (seconds: number): void =>
    seekTo(video, Math.min(Math.max(0, seconds), duration()))
  const goTo = (seconds: number): void => {
    if (Number.isNaN(duration())) return
    moveTo(seconds)
    show(words.announce.seeked, { time: clockTime(video.currentTime) })
  }
  const setVolume = (volume: number): void => {
    video.volume = Math.min(1, Math.max(0, Math.round(volume * 100) / 100))
    video.muted = video.volume === 0
    show(words.announce.volume, { percent: Math.round(video.volume * 100) })
  }
  return {
    togglePlay() {
      announcer.flash(video.paused ? 'play' : 'pause')
      dispatch(video.paused ? 'mediaplayrequest' : 'mediapauserequest')
    },
    seekTo: goTo,
    seekBy(seconds) {
      announcer.flash(seconds < 0 ? 'back' : 'forward')
      goTo(video.currentTime + seconds)
    },
    seekToShare: (share) => goTo(share * duration()),
    changeVolume: (by) => setVolume(video.volume + by),
    setVolume,
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
      const why = noPictureInPicture(video)
      if (why) return show(words.announce.noPictureInPicture[why])
      dispatch(has('mediaispip') ? 'mediaexitpiprequest' : 'mediaenterpiprequest')
    },
    toggleCaptions: () => dispatch('mediatogglesubtitlesrequest'),
    stepFrame(by) {
      if (Number.isNaN(duration())) return
      if (!video.paused) dispatch('mediapauserequest')
      const rate = frameRate() ?? FRAMES_PER_SECOND
      // To the middle of the frame, so that no rounding reaches its neighbours.
      const seconds = (Math.floor(video.currentTime * rate) + by + 0.5) / rate
      moveTo(seconds)
      show(words.announce.seeked, { time: clockTime(video.currentTime, { hundredths: true }) })
    },
    startLoop: () => loop.start(),
    endLoop: () => loop.end(),
    stopLoop: () => loop.stop(),
    changeSpeed(by) {
      rate.set(Math.min(SPEED_MAX, Math.max(SPEED_MIN, rate.get() + by)))
      show(words.announce.speed, { rate: rate.get() })
    },
  }
}

/** Returns a function that returns the duration in seconds, also while the video is loaded again; NaN before the first load. */
function followDuration(video: HTMLVideoElement): () => number {
  let known = NaN
  const follow = (): void => {
    if (Number.isFinite(video.duration)) known = video.duration
  }
  video.addEventListener('durationchange', follow)
  follow()
  return () => known
}
