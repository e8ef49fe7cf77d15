import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { endSecond } from '../../../../domain/chapters.ts'
import { answerOf, apiOf } from '../../api/client.ts'
import { useMayEdit } from '../../api/me.ts'
import { chaptersQuery } from '../../api/video-parts.ts'
import type { Chapter } from '../../api/video-parts.ts'
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

/** The chapters of a video, which are saved together. */
function ChaptersTab() {
  const { account, video: id } = route.useParams()
  const client = useQueryClient()
  const { data: video } = useQuery(videoQuery(account, id))
  const { data, error, refetch } = useQuery(chaptersQuery(account, id))
  const mayEdit = useMayEdit(account)
  const saved = useMemo(() => data?.map(markOf), [data])
  const store = async ({ changed, deletedIds }: MarkChanges): Promise<void> => {
    const chapters = changed.map((mark) => ({
      id: mark.id,
      title: mark.text,
      start: mark.start,
      end: mark.end ?? mark.start,
    }))
    const body = { chapters, deleted_ids: deletedIds }
    const params = { path: { id } }
    const call = apiOf(account).PATCH('/videos/{id}/chapters', { params, body })
    client.setQueryData(chaptersQuery(account, id).queryKey, (await answerOf(call)).data)
    await client.invalidateQueries({ queryKey: ['video', account, id] })
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
