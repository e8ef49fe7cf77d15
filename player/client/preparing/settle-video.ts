import { messageFor } from '../playback/errors.ts'
import { factsOf } from '../playback/shaka-errors.ts'
import type { ShakaError } from '../playback/shaka.ts'
import type { PlayerContext } from '../player-context.ts'
import type { Change } from './growing-list.ts'
import { placeOf, type PreparingState } from './preparing-state.ts'

const NETWORK_CATEGORY = 1
/** Another load has begun meanwhile. */
const LOAD_INTERRUPTED = 7000

interface SettleEvents {
  /** Called when the video has loaded for the first time. */
  onLoaded: () => void
  /** Called with an error after which the video never loads. */
  onFailed: (error: unknown) => void
  /** Called when something may have changed. */
  onChange: () => void
}

/**
 * Returns a function that loads what the viewer's place needs, one load at a time. A lost connection, and a place that
 * is not published after all, are tried again with the next response of the server.
 */
export function createSettler(
  state: PreparingState,
  context: PlayerContext,
  { onLoaded, onFailed, onChange }: SettleEvents,
): () => Promise<void> {
  const { video, problems } = context
  let hasLoaded = false
  const apply = (change: Change): void => {
    const list = state.loader?.list
    if (list?.isLoaded()) {
      state.wanted = null
      list.hold(false)
    }
    if (change !== 'loaded') return
    if (!hasLoaded) onLoaded()
    else if (context.playRequested) void video.play().catch(() => undefined)
    hasLoaded = true
  }
  const fail = (error: unknown): void => {
    const { category, code }: ShakaError = Object(error)
    if (category === NETWORK_CATEGORY || code === LOAD_INTERRUPTED) return
    if (hasLoaded)
      problems.show(messageFor(error, state.loader?.engine.drm ?? null), factsOf(error))
    else onFailed(error)
  }
  return async () => {
    const { loader, published } = state
    if (!loader || !published || state.isHalted || state.isLoading) return
    state.isLoading = true
    try {
      apply(await settleAt(state, context, placeOf(state, video)))
    } catch (error) {
      fail(error)
    } finally {
      state.isLoading = false
      onChange()
    }
  }
}

async function settleAt(
  state: PreparingState,
  context: PlayerContext,
  place: number,
): Promise<Change> {
  const { loader, published } = state
  if (!loader || !published) return null
  const { list } = loader
  // While a list loads, the video does not know its position.
  if (list.isOutside(published, place)) state.wanted = place
  const wasPlaying = !context.video.paused
  const wasLoaded = list.isLoaded()
  try {
    return await list.settle(published, place)
  } finally {
    // What plays again does so after the next load.
    if (wasLoaded && !list.isLoaded()) context.playRequested = wasPlaying
  }
}
