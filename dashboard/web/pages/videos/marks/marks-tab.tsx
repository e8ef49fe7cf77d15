import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi } from '@tanstack/react-router'
import { useMayEdit } from '../../../api/me.ts'
import { videoQuery } from '../../../api/videos.ts'
import { ErrorState } from '../../../parts/error-state.tsx'
import { MarkEditor } from './mark-editor.tsx'
import { CHAPTERS, MOMENTS, type MarkKind } from './mark-kinds.ts'
import type { Mark, MarkChanges } from './marks.ts'

const route = getRouteApi('/accounts/$account/videos/$video')

/** The chapters or the moments of a video, which are saved together. */
function MarksTab({ kind }: { kind: MarkKind }) {
  const { account, video: id } = route.useParams()
  const client = useQueryClient()
  const { data: video } = useQuery(videoQuery(account, id))
  const queryKey = [kind.name, account, id]
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => kind.list(account, id, signal),
  })
  const mayEdit = useMayEdit(account)
  const store = async (changes: MarkChanges): Promise<Mark[] | null> => {
    const { kind: outcome, current } = await kind.save(account, id, changes)
    client.setQueryData(queryKey, current)
    if (outcome === 'stale') return current
    await client.invalidateQueries({ queryKey: ['video', account, id] })
    return null
  }
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  const duration = video?.duration ?? null
  return (
    <MarkEditor
      kind={kind}
      saved={data}
      last={duration === null ? null : kind.lastOf(duration * 1000)}
      mayEdit={mayEdit}
      store={store}
    />
  )
}

export const chaptersRoute = createLazyRoute('/accounts/$account/videos/$video/chapters')({
  component: () => <MarksTab kind={CHAPTERS} />,
})

export const momentsRoute = createLazyRoute('/accounts/$account/videos/$video/moments')({
  component: () => <MarksTab kind={MOMENTS} />,
})
