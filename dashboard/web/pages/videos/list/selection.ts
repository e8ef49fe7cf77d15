import { useMemo, useState } from 'react'
import type { Video, VideosFilter } from '../../../api/videos.ts'

/** The chosen videos of the page that is shown. */
export interface Selection {
  ids: ReadonlySet<string>
  set: (ids: string[], isChosen: boolean) => void
  clear: () => void
}

const NONE: ReadonlySet<string> = new Set()

/** Holds which videos of a page are chosen. Another filter or page, and a video that is gone, end their choice. */
export function useSelection(search: VideosFilter, videos: readonly Video[]): Selection {
  const view = JSON.stringify(search)
  const [chosen, setChosen] = useState({ view, ids: NONE })
  const shown = useMemo(() => new Set(videos.map(({ id }) => id)), [videos])
  const current = chosen.view === view ? chosen.ids : NONE
  const ids = useMemo(() => new Set([...current].filter((id) => shown.has(id))), [current, shown])
  return {
    ids,
    set(some, isChosen) {
      const next = new Set(ids)
      for (const id of some) {
        if (isChosen) next.add(id)
        else next.delete(id)
      }
      setChosen({ view, ids: next })
    },
    clear: () => setChosen({ view, ids: NONE }),
  }
}
