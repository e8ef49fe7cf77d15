import { fetchManifest, rememberBandwidth, startEngine } from './engine.ts'
import type { Engine } from './engine.ts'
import { embeddingMistake, messageFor } from './error-code.ts'
import { joinNewRungs } from './join-new-rungs.ts'
import type { MessageCode } from '../message-code.ts'
import { rememberPosition, startPosition } from './position.ts'
import { loadPatiently, recoverFrom } from './recover.ts'
import type { Stage } from '../player-context.ts'
import { whenSeen } from './start-when-seen.ts'
import { countWatched } from './watched.ts'
import { guardWatermark } from '../watermark/guard.ts'

/** The film in the page, ready to be played. */
export interface Film {
  engine: Engine
  /** Another try after something went wrong. */
  retry(): void
  /** Where it begins; null for its start. */
  startSeconds: number | null
}

/**
 * Begins with the film as soon as somebody sees the frame, or at once where it is to play by itself;
 * null where it cannot be played.
 */
export async function startFilm(stage: Stage): Promise<Film | null> {
  const mistake = embeddingMistake()
  if (mistake) return fail(stage, mistake)
  if (!stage.options.autoplay) await whenSeen(stage.container)
  const manifest = fetchManifest(stage.data, stage.session)
  try {
    const engine = await startEngine(stage.video, stage, manifest)
    return await load(stage, engine)
  } catch (error) {
    return fail(stage, messageFor(error))
  }
}

function fail({ problems }: Stage, code: MessageCode): null {
  problems.show(code)
  return null
}

async function load(stage: Stage, engine: Engine): Promise<Film> {
  const { data, video, options, memory, problems, wish } = stage
  const startSeconds = startPosition(data, options, memory)
  const retry = recoverFrom(engine, video, problems)
  guard(stage, engine)
  await loadPatiently(engine, problems, startSeconds)
  document.documentElement.dataset.state = 'ready'
  if (wish.toPlay) void video.play().catch(() => undefined)
  rememberPosition(video, data, memory)
  keepSession(stage, engine)
  return { engine, retry, startSeconds }
}

/** Over: nothing of the film stays in the page. */
function stop({ video, session, problems }: Stage, engine: Engine, code: MessageCode): void {
  session.end()
  video.pause()
  void engine.player.unload().catch(() => undefined)
  problems.show(code)
}

function guard(stage: Stage, engine: Engine): void {
  const { container, video, data, session } = stage
  if (!data.watermark) return
  guardWatermark({ container, video }, data.watermark, (how) => {
    session.reportTampering(how)
    stop(stage, engine, 'watermark')
  })
}

function keepSession(stage: Stage, engine: Engine): void {
  const { video, data, memory, session } = stage
  const watched = countWatched(video)
  session.start({
    progress: () => {
      rememberBandwidth(engine.player, memory)
      return {
        position_seconds: video.currentTime,
        watched_seconds: watched(),
        bytes_loaded: engine.player.getStats().bytesDownloaded,
      }
    },
    onRenditions: joinNewRungs(engine, video, data.renditions),
    onEnded: (code) => stop(stage, engine, code),
  })
  addEventListener('pagehide', () => session.report())
}
