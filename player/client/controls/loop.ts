import { element } from '../element.ts'
import { clockTime, fillIn, type Words } from '../locales/words.ts'
import type { Announcer } from './feedback.ts'

/** Repeats a part of the video. */
export interface PartLoop {
  /** Begins the part at the current position. */
  start(): void
  /** Ends the part at the current position and repeats it. Ends nothing before its start. */
  end(): void
  stop(): void
  isOn(): boolean
}

/** Shorter parts could not be heard. */
const SHORTEST_SECONDS = 0.5

/**
 * Connects the loop of a part. It ends when the viewer seeks outside of the part, or loads another
 * position.
 */
export function connectLoop(
  video: HTMLVideoElement,
  { words, announcer }: { words: Words; announcer: Announcer },
): PartLoop {
  let from: number | null = null
  let to: number | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  const mark = createMark()
  const set = (newFrom: number | null, newTo: number | null): void => {
    ;[from, to] = [newFrom, newTo]
    clearTimeout(timer)
    mark(from, to ?? from, video.duration)
  }
  const repeat = (): void => {
    if (from === null || to === null) return
    clearTimeout(timer)
    const leftSeconds = to - video.currentTime
    if (leftSeconds <= 0) video.currentTime = from
    // `timeupdate` comes four times a second, so the last stretch needs a timer.
    else if (!video.paused && leftSeconds < 0.5)
      timer = setTimeout(repeat, (leftSeconds * 1000) / (video.playbackRate || 1))
  }
  const stop = (): void => {
    if (from === null) return
    set(null, null)
    announcer.show(words.announce.loopOff)
  }
  video.addEventListener('timeupdate', repeat)
  video.addEventListener('seeking', () => {
    if (from === null || to === null) return
    const { currentTime } = video
    if (currentTime < from - SHORTEST_SECONDS || currentTime > to + SHORTEST_SECONDS) stop()
  })
  // A part that ends with the video.
  video.addEventListener('ended', () => {
    if (from === null || to === null) return
    video.currentTime = from
    void video.play().catch(() => undefined)
  })
  return {
    start() {
      set(video.currentTime, null)
      announcer.show(fillIn(words.announce.loopFrom, { time: clockTime(video.currentTime) }))
    },
    end() {
      const start = from ?? 0
      if (video.currentTime < start + SHORTEST_SECONDS) return
      set(start, video.currentTime)
      const times = { start: clockTime(start), end: clockTime(video.currentTime) }
      announcer.show(fillIn(words.announce.loop, times))
      video.currentTime = start
    },
    stop,
    isOn: () => from !== null,
  }
}

/** Returns a function that marks the part on the seek bar, in seconds of a duration; null removes the mark. */
function createMark(): (from: number | null, to: number | null, duration: number) => void {
  const mark = document.createElement('span')
  mark.className = 'loop'
  return (from, to, duration) => {
    if (from === null || to === null || !(duration > 0)) return mark.remove()
    mark.style.setProperty('--from', String(from / duration))
    mark.style.setProperty('--to', String(to / duration))
    element('moments')?.before(mark)
  }
}
