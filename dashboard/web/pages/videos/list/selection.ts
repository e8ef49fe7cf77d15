import { useMemo, useState } from 'react'
import type { VideosFilter } from '../../../api/video-search/filter.ts'
import type { Video } from '../../../api/videos.ts'

/** The chosen videos of the page that is shown. */
export interface Selection {
  ids: ReadonlySet<string>
  set: (ids: readonly string[], isChosen: boolean) => void
  /** Chooses one video, or drops it; with `isRange`, all from the one that was changed last. */
  choose: (id: string, isChosen: boolean, isRange: boolean) => void
  clear: () => void
}

const NONE: ReadonlySet<string> = new Set()

/** Holds which videos of a page are chosen. Another filter or page, and a video that is gone, end their choice. */
export function useSelection(search: VideosFilter, videos: readonly Video[]): Selection {
  const view = JSON.stringify(search)
  const [chosen, setChosen] = useState({ view, ids: NONE })
  const [last, setLast] = useState<string | null>(null)
  const order = useMemo(() => videos.map(({ id }) => id), [videos])
  const current = chosen.view === view ? chosen.ids : NONE
  const ids = useMemo(
    () => new Set([...current].filter((id) => order.includes(id))),
    [current, order],
  )
  const set = (some: readonly string[], isChosen: boolean): void => {
    const next = new Set(ids)
    for (const id of some) {
      if (isChosen) next.add(id)
      else next.delete(id)
    }
    setChosen({ view, ids: next })
  }
  return {
    ids,
    set,
    choose(id, isChosen, isRange) {
      set(isRange && last !== null ? between(order, last, id) : [id], isChosen)
      setLast(id)
    },
    clear: () => setChosen({ view, ids: NONE }),
  }
}

/** The ids from one to another, in either direction; the second alone if the first is not among them. */
export function between(order: readonly string[], first: string, second: string): string[] {
  const [from, to] = [order.indexOf(first), order.indexOf(second)]
  return from === -1 ? [second] : order.slice(Math.min(from, to), Math.max(from, to) + 1)
}
