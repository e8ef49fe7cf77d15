import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { lastSecond } from '../../../../domain/videos/chapters.ts'
import { apiOf } from '../../api/client.ts'
import { useMayEdit } from '../../api/me.ts'
import { momentsQuery } from '../../api/video-parts.ts'
import type { Moment } from '../../api/video-parts.ts'
import { outcomeOf } from '../../api/stale.ts'
import { videoQuery } from '../../api/videos.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import { MarkEditor } from './mark-editor.tsx'
import type { Mark, MarkChanges } from './marks.ts'

const route = getRouteApi('/accounts/$account/videos/$video/moments')

const markOf = ({ id, label, timestamp }: Moment): Mark => ({
  key: String(id),
  id,
  text: label,
  start: timestamp,
  end: null,
})

const factsOf = (mark: Mark) => ({ label: mark.text, timestamp: mark.start })

/** The moments of a video, which are saved together. */
function MomentsTab() {
  const { account, video: id } = route.useParams()
  const client = useQueryClient()
  const { data: video } = useQuery(videoQuery(account, id))
  const { data, error, refetch } = useQuery(momentsQuery(account, id))
  const mayEdit = useMayEdit(account)
  const saved = useMemo(() => data?.map(markOf), [data])
  const store = async ({ changed, deletedIds, from }: MarkChanges): Promise<Mark[] | null> => {
    const body = {
      moments: changed.map((mark) => ({ id: mark.id, ...factsOf(mark) })),
      deleted_ids: deletedIds,
      from: from.flatMap((mark) => (mark.id === null ? [] : [{ id: mark.id, ...factsOf(mark) }])),
    }
    const params = { path: { id } }
    const call = apiOf(account).PATCH('/videos/{id}/moments', { params, body })
    const { kind, current } = await outcomeOf(call)
    client.setQueryData(momentsQuery(account, id).queryKey, current.data)
    if (kind === 'stale') return current.data.map(markOf)
    await client.invalidateQueries({ queryKey: ['video', account, id] })
    return null
  }
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  const duration = video?.duration ?? null
  return (
    <MarkEditor
      kind="moments"
      saved={saved}
      last={duration === null ? null : lastSecond(duration * 1000)}
      mayEdit={mayEdit}
      store={store}
    />
  )
}

export const momentsRoute = createLazyRoute('/accounts/$account/videos/$video/moments')({
  component: MomentsTab,
})
