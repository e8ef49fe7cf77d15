import { NOTHING_WATCHED, partsOf, watch } from '../../../domain/audience/watched-parts.ts'
import { playOn, wholeSeconds, type Stretch } from '../../../domain/audience/watched-stretches.ts'
import { followPlayed, type Played } from './played-intervals.ts'
import { rungHeight } from './rung-name.ts'
import { countStalls } from './stalls.ts'

/** What was measured, in totals of the session. Values that are not known are left out. */
export interface Measured {
  /** By the clock on the wall. */
  watched_seconds: number
  /** Of the video: twice as many at double speed. */
  media_seconds: number
  /** The hundredths of the video that were shown, as `partsOf` writes them. */
  parts?: string | undefined
  /** Those that were shown twice. */
  replayed_parts?: string | undefined
  /** What was played in one go: positions, and when it began after the page was opened, in seconds. */
  stretches?: [from: number, to: number, at: number][] | undefined
  /** From the wish to play to the first frame. */
  first_frame_seconds?: number | undefined
  stalls?: number | undefined
  stalled_seconds?: number | undefined
  /** The number in the name of the rung that was shown longest. */
  quality?: number | undefined
  /** The rate at which the video has played longest. */
  speed?: number | undefined
}

export interface Measure {
  totals(): Measured
  /** Restarts the time to the first frame after the browser refused to play by itself. */
  refused(this: void): void
}

/** Starts to measure what is played of a video. With `isAutoplay`, the time to the first frame begins at once. */
export function measurePlayback(video: HTMLVideoElement, isAutoplay: boolean): Measure {
  const watched = sumPlayed(video)
  const wish = timeFirstFrame(video, isAutoplay)
  const stalls = countStalls(video)
  const look = followPlayed(video, {
    onPlayed(played) {
      watched.add(played)
      wish.played(played)
      stalls.played()
    },
    onJump: () => stalls.jumped(),
    onLook: () => stalls.look(),
  })
  return {
    refused: wish.forget,
    totals() {
      look()
      const { count, seconds } = stalls.totals()
      return {
        ...watched.totals(),
        first_frame_seconds: wish.seconds(),
        ...(count > 0 && { stalls: count, stalled_seconds: rounded(seconds) }),
      }
    },
  }
}

/** Rounds to hundredths: heartbeats stay short. */
const rounded = (value: number): number => Math.round(value * 100) / 100

function sumPlayed(video: HTMLVideoElement) {
  let seconds = 0
  let mediaSeconds = 0
  let watched = NOTHING_WATCHED
  let stretches: readonly Stretch[] = []
  let duration = NaN
  const [rates, heights] = [new Map<number, number>(), new Map<number, number>()]
  const parts = (spans: typeof watched.once): string | undefined =>
    partsOf(spans, duration) ?? undefined
  return {
    add({ from, to, rate, seconds: passed }: Played): void {
      seconds += passed
      mediaSeconds += to - from
      watched = watch(watched, from, to)
      // The clock on the wall, because that of the page may stand still while a device sleeps.
      const until = (Date.now() - performance.timeOrigin) / 1000
      stretches = playOn(stretches, { from, to, at: Math.max(0, until - passed), until })
      count(rates, rounded(rate), passed)
      count(heights, rungHeight({ width: video.videoWidth, height: video.videoHeight }), passed)
    },
    totals() {
      // A video that is loaded again has none for a moment.
      duration = video.duration || duration
      const list = wholeSeconds(stretches)
      return {
        watched_seconds: rounded(seconds),
        media_seconds: rounded(mediaSeconds),
        parts: parts(watched.once),
        replayed_parts: parts(watched.again),
        stretches: list.length > 0 ? list : undefined,
        quality: longest(heights),
        speed: longest(rates),
      }
    },
  }
}

const count = (seconds: Map<number, number>, value: number, more: number): void =>
  void seconds.set(value, (seconds.get(value) ?? 0) + more)

/** Returns the value with the most seconds; undefined if there is none but 0. */
function longest(seconds: Map<number, number>): number | undefined {
  const [first] = [...seconds].sort(([, one], [, other]) => other - one)
  return first?.[0] || undefined
}

/** Measures the time from the wish of the viewer, or of autoplay, to the first frame. A hidden page takes its time. */
function timeFirstFrame(video: HTMLVideoElement, isAutoplay: boolean) {
  let wishedMs: number | null = null
  let seconds: number | undefined
  let isOver = false
  const wish = (): void => {
    if (!document.hidden) wishedMs ??= performance.now()
  }
  const forget = (): void => void (wishedMs = null)
  if (isAutoplay) wish()
  video.addEventListener('play', wish)
  video.addEventListener('pause', forget)
  document.addEventListener('visibilitychange', forget)
  return {
    forget,
    played({ nowMs, seconds: passed }: Played): void {
      if (!isOver && wishedMs !== null)
        seconds = rounded(Math.max(0, (nowMs - wishedMs) / 1000 - passed))
      isOver = true
    },
    seconds: () => seconds,
  }
}
