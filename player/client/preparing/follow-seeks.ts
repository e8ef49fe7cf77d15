import type { PlayerContext } from '../player-context.ts'
import type { FilmState } from './film-state.ts'

/** Several seeks in a row, as of a pointer that drags, count as one. */
const SETTLES_MS = 200

interface SeekParts {
  settle: () => Promise<void>
  isWaiting: () => boolean
  beat: () => void
}

/**
 * After a seek, loads the list that contains the place, or tells the server that the viewer waits there. The playhead
 * stays where the viewer has put it.
 */
export function followSeeks(
  state: FilmState,
  { video, container }: PlayerContext,
  { settle, isWaiting, beat }: SeekParts,
): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const seeked = (): void => {
    if (isWaiting()) beat()
    void settle()
  }
  video.addEventListener('seeking', () => {
    const { published, loader, isLoading } = state
    const list = loader?.list
    if (!published || !list?.isLoaded() || isLoading) return
    const place = video.currentTime
    state.wanted = list.isOutside(published, place) ? place : null
    list.hold(state.wanted !== null)
    clearTimeout(timer)
    timer = setTimeout(seeked, SETTLES_MS)
  })
  // While a list loads, the video forgets where the seek bar puts it.
  container.addEventListener('mediaseekrequest', (event) => {
    if (!state.isLoading || !state.loader?.list.isLoaded()) return
    const place: unknown = event instanceof CustomEvent ? event.detail : null
    if (typeof place !== 'number') return
    const again = (): void => {
      if (state.isLoading) setTimeout(again, SETTLES_MS)
      else if (lastAsked === place) video.currentTime = place
    }
    lastAsked = place
    again()
  })
  let lastAsked: number | null = null
}
