import { followSeekRequests } from '../playback/seek.ts'
import type { PlayerContext } from '../player-context.ts'
import type { PreparingState } from './preparing-state.ts'

/** Several seeks in a row, as of a pointer that drags, count as one. */
const SETTLES_MS = 200

interface SeekParts {
  settle: () => Promise<void>
  isWaiting: () => boolean
  beat: () => void
}

/** Follows the seeks of the viewer. */
export interface SeekFollower {
  /** Follows the seek that was made while a list was being loaded, if there was one. */
  catchUp(this: void): void
}

/**
 * After a seek, loads the list that contains the place, or tells the server that the viewer waits there. The playhead
 * stays where the viewer has put it.
 */
export function followSeeks(
  state: PreparingState,
  { video }: Pick<PlayerContext, 'video'>,
  { settle, isWaiting, beat }: SeekParts,
): SeekFollower {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isBehind = false
  let hasAsked = false
  const seeked = (): void => {
    if (isWaiting()) beat()
    void settle()
  }
  const follow = (): void => {
    const { published, loader, isLoading } = state
    const list = loader?.list
    isBehind ||= isLoading
    if (!published || !list?.isLoaded() || isLoading) return
    const place = video.currentTime
    state.wanted = list.isOutside(published, place) ? place : null
    list.hold(state.wanted !== null)
    clearTimeout(timer)
    timer = setTimeout(seeked, SETTLES_MS)
  }
  video.addEventListener('seeking', follow)
  // A video without data takes a place, but does not seek.
  const hasNothing = (): boolean => video.readyState === HTMLMediaElement.HAVE_NOTHING
  const restart = (): void => {
    state.loader?.list.leave()
    follow()
  }
  followSeekRequests(() => {
    if (state.isLoading) hasAsked = true
    // Once the place is set.
    else if (hasNothing()) setTimeout(restart)
  })
  return {
    catchUp() {
      if (hasAsked && hasNothing()) restart()
      else if (isBehind) follow()
      hasAsked = false
      isBehind = false
    },
  }
}
