import type { PlayerContext } from '../player-context.ts'
import type { MessageCode, ProblemFacts } from '../problems.ts'
import { rememberBandwidth, type Engine } from './engine.ts'
import { joinNewRungs } from './join-new-rungs.ts'
import { measurePlayback } from './measure.ts'
import type { PreparingVideo } from './preparing-video.ts'
import { followError } from './reported-error.ts'

/** What the page reports of its playback session. */
interface Reports {
  /** Starts to send heartbeats. `onEnded` is called when the server ends the session. */
  start(engine: Engine, film: PreparingVideo | null, onEnded: (why: MessageCode) => void): void
  /** Reports that the video cannot be played, and then nothing more. */
  fail(code: MessageCode, facts?: ProblemFacts): void
  /** To call when the browser refuses to play by itself. */
  refused(this: void): void
}

/** Starts to measure playback, and reports it. */
export function reportPlayback(context: PlayerContext): Reports {
  const { data, options, video, memory, session, problems } = context
  const measure = measurePlayback(video, options.autoplay)
  const errorAt = followError(problems)
  let hasStarted = false
  // The module for a video that is being prepared does the same.
  if (!data.isPreparing)
    addEventListener('pagehide', () => {
      const error = errorAt(true)
      if (hasStarted) session.leave()
      else if (error) session.reportFailure(error)
    })
  return {
    refused: measure.refused,
    start(engine, film, onEnded) {
      hasStarted = true
      let sent: { seconds: number; error: MessageCode | undefined } = {
        seconds: 0,
        error: undefined,
      }
      session.start({
        progress(isLast) {
          rememberBandwidth(engine.player, memory)
          const { first_frame_seconds, ...measured } = measure.totals()
          const error = errorAt(isLast)
          sent = { seconds: measured.watched_seconds, error }
          return {
            position_seconds: Math.round((film?.place() ?? video.currentTime) * 1000) / 1000,
            ...measured,
            // Who waits for an encoder does not wait for the player.
            first_frame_seconds: film ? undefined : first_frame_seconds,
            bytes_loaded: engine.player.getStats().bytesDownloaded,
            error,
          }
        },
        onRenditions: film?.onPublished ?? joinNewRungs(engine, video, data.renditions),
        onEnded,
      })
      problems.follow(() => {
        const error = errorAt(false)
        if (error && error !== sent.error) session.beat()
      })
      onStillAndHidden(video, () => {
        if (measure.totals().watched_seconds > sent.seconds) session.beat()
      })
    },
    fail(code, facts) {
      problems.show(code, facts)
      // The host accepts no request of a page without an origin.
      if (code !== 'sandboxed') session.reportFailure(code)
      session.end()
    },
  }
}

/** Calls `run` when the page is hidden and the video does not play. A phone may close such a page without an event. */
function onStillAndHidden(video: HTMLVideoElement, run: () => void): void {
  const check = (): void => {
    if (document.hidden && video.paused) run()
  }
  document.addEventListener('visibilitychange', check)
  video.addEventListener('pause', check)
}
