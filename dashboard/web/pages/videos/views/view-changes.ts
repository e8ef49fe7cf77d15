import { useMutation, useQueryClient } from '@tanstack/react-query'
import { apiOf, unwrap } from '../../../api/client.ts'
import type { VideosMatch } from '../../../api/video-search/filter.ts'
import { toSavedSearch, type SavedView } from '../../../api/video-search/saved-views.ts'
import { interpolate } from '../../../locales/interpolate.ts'
import { notify } from '../../../parts/notify.ts'
import { useVideosWords } from '../words.ts'

/** What shows the views is loaded again. */
function useViewsChanged(account: string): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: ['saved-views', account] })
}

interface NewView {
  name: string
  match: VideosMatch
  /** The view of this name, which is replaced. */
  present: SavedView | undefined
}

/** Saves filters under a name, or in the view that has it; `onDone` follows once lists show it. */
export function useSaveView(account: string, onDone: () => void) {
  const { views: words } = useVideosWords()
  const changed = useViewsChanged(account)
  return useMutation({
    mutationFn: ({ name, match, present }: NewView) => {
      const search = toSavedSearch(match)
      if (!present)
        return unwrap(apiOf(account).POST('/me/saved-views', { body: { name, search } }))
      const params = { path: { id: present.id } }
      return unwrap(apiOf(account).PATCH('/me/saved-views/{id}', { params, body: { search } }))
    },
    async onSuccess({ name }) {
      await changed()
      notify(interpolate(words.saved, { name }))
      onDone()
    },
  })
}

/** Renames a view, or saves other filters in it. */
export function useChangeView(account: string, { id }: SavedView) {
  const changed = useViewsChanged(account)
  return useMutation({
    mutationFn: (body: Partial<Pick<SavedView, 'name' | 'search'>>) => {
      const params = { path: { id } }
      return unwrap(apiOf(account).PATCH('/me/saved-views/{id}', { params, body }))
    },
    onSuccess: changed,
  })
}

/** Deletes a view, and offers for some seconds to save it again. */
export function useDeleteView(account: string, { id, name, search }: SavedView) {
  const { views: words, list } = useVideosWords()
  const changed = useViewsChanged(account)
  const undo = useMutation({
    mutationFn: () => unwrap(apiOf(account).POST('/me/saved-views', { body: { name, search } })),
    onSettled: changed,
  })
  return useMutation({
    mutationFn: () => {
      const params = { path: { id } }
      return unwrap(apiOf(account).DELETE('/me/saved-views/{id}', { params }))
    },
    async onSuccess() {
      const text = interpolate(words.removed, { name })
      notify(text, { label: list.undo, run: () => undo.mutate() })
      await changed()
    },
  })
}
