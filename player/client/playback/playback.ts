import type { PlayerContext } from '../player-context.ts'
import type { MessageCode, ProblemFacts } from '../problems.ts'
import { postJson } from '../watermark/dom.ts'
import { guardWatermark } from '../watermark/guard.ts'
import { fetchManifest, rememberBandwidth, startEngine, type Engine } from './engine.ts'
import { embeddingMistake, factsOf, loadPatiently, messageFor, recoverFrom } from './errors.ts'
import { joinNewRungs } from './join-new-rungs.ts'
import { loadDrm } from './load-drm.ts'
import { rememberPosition, startPosition } from './position.ts'
import type { PreparingVideo } from './preparing-video.ts'

/** A loaded video. */
export interface Playback {
  engine: Engine
  /** Tries again after a network error. */
  retry(): void
  /** Seconds; null for the beginning. */
  startSeconds: number | null
}

/**
 * Loads the video once the viewer sees the player, or immediately with autoplay. Resolves to null if
 * it cannot be played; the context's problems then say why.
 */
export async function startPlayback(context: PlayerContext): Promise<Playback | null> {
  const mistake = embeddingMistake()
  if (mistake) return fail(context, mistake)
  if (!context.options.autoplay) await waitUntilSeen(context.container)
  const { data, options, memory } = context
  const startSeconds = startPosition(data, options, memory)
  const film = data.isPreparing ? prepare(context, startSeconds) : null
  const manifest = film ? Promise.resolve(null) : fetchManifest(data, context.session)
  const drm = loadDrm(data, context.problems)
  try {
    const engine = await startEngine(context.video, context, manifest, drm)
    return await load(context, engine, startSeconds, await film)
  } catch (error) {
    return fail(context, messageFor(error, await drm.catch(() => null)), factsOf(error))
  }
}

/**
 * Resolves when the player scrolls into view or the viewer presses play. Until then, a player further
 * down a page loads nothing.
 */
function waitUntilSeen(container: HTMLElement): Promise<void> {
  return new Promise((resolve) => {
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) done()
    })
    const done = (): void => {
      observer.disconnect()
      container.removeEventListener('mediaplayrequest', done)
      resolve()
    }
    container.addEventListener('mediaplayrequest', done)
    observer.observe(container)
  })
}

/** Waits for a video that was not playable when the page was sent. Other pages do not load this module. */
async function prepare(
  context: PlayerContext,
  startSeconds: number | null,
): Promise<PreparingVideo> {
  const { prepareVideo }: typeof import('../preparing/preparing.ts') = await import(
    context.data.preparingUrl
  )
  return prepareVideo(context, startSeconds ?? 0)
}

function fail({ problems }: PlayerContext, code: MessageCode, facts: ProblemFacts = {}): null {
  problems.show(code, facts)
  return null
}

async function load(
  context: PlayerContext,
  engine: Engine,
  startSeconds: number | null,
  film: PreparingVideo | null,
): Promise<Playback | null> {
  const { data, video, memory, problems } = context
  const retry = recoverFrom(engine, video, problems)
  showWatermark(context, engine)
  if (film) {
    if (!(await film.load(engine))) return null
  } else await loadPatiently(engine, problems, startSeconds)
  document.documentElement.dataset.state = 'ready'
  if (context.playRequested) void video.play().catch(() => undefined)
  rememberPosition(video, data, memory)
  sendHeartbeats(context, engine, film)
  return { engine, retry, startSeconds }
}

/** Ends playback permanently and unloads the video. */
function stop(
  { video, session, problems }: PlayerContext,
  engine: Engine,
  code: MessageCode,
): void {
  session.end()
  video.pause()
  void engine.player.unload().catch(() => undefined)
  problems.show(code)
}

function showWatermark(context: PlayerContext, engine: Engine): void {
  const { container, video, data, session, problems } = context
  if (!data.watermark) return
  const guard = guardWatermark({ container, video }, data.watermark, {
    onPaused: () => problems.show('watermark_lost'),
    onTampered(how) {
      session.reportTampering(how, postJson)
      stop(context, engine, 'watermark')
    },
  })
  context.raiseWatermark = guard.raise
  engine.player.getNetworkingEngine()?.registerRequestFilter(guard.check)
  video.addEventListener('play', () => problems.clear('watermark_lost'))
}

function sendHeartbeats(context: PlayerContext, engine: Engine, film: PreparingVideo | null): void {
  const { video, data, memory, session } = context
  const watchedSeconds = countWatched(video)
  session.start({
    progress: () => {
      rememberBandwidth(engine.player, memory)
      return {
        position_seconds: film?.place() ?? video.currentTime,
        watched_seconds: watchedSeconds(),
        bytes_loaded: engine.player.getStats().bytesDownloaded,
      }
    },
    onRenditions: film?.onPublished ?? joinNewRungs(engine, video, data.renditions),
    onEnded: (code) => stop(context, engine, code),
  })
  if (!film) addEventListener('pagehide', () => session.leave())
}

/** Returns a function that returns the total playing time in seconds. */
function countWatched(video: HTMLVideoElement): () => number {
  let seconds = 0
  let since: number | null = null
  const stopCounting = (): void => {
    if (since !== null) seconds += (performance.now() - since) / 1000
    since = null
  }
  const count = (): void => {
    stopCounting()
    since = performance.now()
  }
  video.addEventListener('playing', count)
  // While it buffers, Shaka Player sets the rate to 0.
  video.addEventListener('ratechange', () => {
    if (video.playbackRate === 0) stopCounting()
    else if (!video.paused && video.readyState > HTMLMediaElement.HAVE_CURRENT_DATA) count()
  })
  for (const event of ['pause', 'waiting', 'ended', 'emptied'])
    video.addEventListener(event, stopCounting)
  return () => seconds + (since === null ? 0 : (performance.now() - since) / 1000)
}
