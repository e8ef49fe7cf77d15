import type { PlayerContext } from '../player-context.ts'
import type { MessageCode, ProblemFacts } from '../problems.ts'
import { postJson } from '../watermark/dom.ts'
import { guardWatermark } from '../watermark/guard.ts'
import { fetchManifest, startEngine, type Engine } from './engine.ts'
import { embeddingMistake, loadPatiently, messageFor, recoverFrom } from './errors.ts'
import { loadDrm } from './load-drm.ts'
import { rememberPosition, startPosition } from './position.ts'
import type { PreparingVideo } from './preparing-video.ts'
import { reportPlayback } from './report-playback.ts'
import { factsOf } from './shaka-errors.ts'

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
  const reports = reportPlayback(context)
  const fail = (code: MessageCode, facts?: ProblemFacts): null => {
    reports.fail(code, facts)
    return null
  }
  const mistake = embeddingMistake()
  if (mistake) return fail(mistake)
  if (!context.options.autoplay) await waitUntilSeen(context.container)
  const { data, options, memory } = context
  const startSeconds = startPosition(data, options, memory)
  const film = data.isPreparing ? prepare(context, startSeconds) : null
  const manifest = film ? Promise.resolve(null) : fetchManifest(data, context.session)
  const drm = loadDrm(data, context.problems)
  try {
    const engine = await startEngine(context.video, context, manifest, drm)
    const playback = await load(context, engine, startSeconds, await film)
    if (!playback) return null
    if (context.playRequested) void context.video.play().catch(reports.refused)
    reports.start(engine, await film, (code) => stop(context, engine, code))
    return playback
  } catch (error) {
    return fail(messageFor(error, await drm.catch(() => null)), factsOf(error))
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
  rememberPosition(video, data, memory)
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
