import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { endSecond } from '../../../../domain/videos/chapters.ts'
import { apiOf } from '../../api/client.ts'
import { useMayEdit } from '../../api/me.ts'
import { chaptersQuery } from '../../api/video-parts.ts'
import type { Chapter } from '../../api/video-parts.ts'
import { outcomeOf } from '../../api/stale.ts'
import { videoQuery } from '../../api/videos.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import { MarkEditor } from './mark-editor.tsx'
import type { Mark, MarkChanges } from './marks.ts'

const route = getRouteApi('/accounts/$account/videos/$video/chapters')

const markOf = ({ id, title, start, end }: Chapter): Mark => ({
  key: String(id),
  id,
  text: title,
  start,
  end,
})

const factsOf = (mark: Mark) => ({
  title: mark.text,
  start: mark.start,
  end: mark.end ?? mark.start,
})

/** The chapters of a video, which are saved together. */
function ChaptersTab() {
  const { account, video: id } = route.useParams()
  const client = useQueryClient()
  const { data: video } = useQuery(videoQuery(account, id))
  const { data, error, refetch } = useQuery(chaptersQuery(account, id))
  const mayEdit = useMayEdit(account)
  const saved = useMemo(() => data?.map(markOf), [data])
  const store = async ({ changed, deletedIds, from }: MarkChanges): Promise<Mark[] | null> => {
    const body = {
      chapters: changed.map((mark) => ({ id: mark.id, ...factsOf(mark) })),
      deleted_ids: deletedIds,
      from: from.flatMap((mark) => (mark.id === null ? [] : [{ id: mark.id, ...factsOf(mark) }])),
    }
    const params = { path: { id } }
    const call = apiOf(account).PATCH('/videos/{id}/chapters', { params, body })
    const { kind, current } = await outcomeOf(call)
    client.setQueryData(chaptersQuery(account, id).queryKey, current.data)
    if (kind === 'stale') return current.data.map(markOf)
    await client.invalidateQueries({ queryKey: ['video', account, id] })
    return null
  }
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  const duration = video?.duration ?? null
  return (
    <MarkEditor
      kind="chapters"
      saved={saved}
      last={duration === null ? null : endSecond(duration * 1000)}
      mayEdit={mayEdit}
      store={store}
    />
  )
}

export const chaptersRoute = createLazyRoute('/accounts/$account/videos/$video/chapters')({
  component: ChaptersTab,
})
