import { useMutation, useQueryClient } from '@tanstack/react-query'
import { apiOf, unwrap } from '../../../api/client.ts'
import type { Folder } from '../../../api/videos.ts'

/** What shows folders is loaded again. */
function useFoldersChanged(account: string): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: ['folders', account] })
}

/** Creates a folder; `onDone` follows once lists show it. */
export function useCreateFolder(account: string, onDone: () => void) {
  const changed = useFoldersChanged(account)
  return useMutation({
    mutationFn: (name: string) =>
      unwrap(apiOf(account).POST('/v1/folders', { body: { name: name.trim() } })),
    async onSuccess() {
      await changed()
      onDone()
    },
  })
}

/** Renames a folder; `onDone` follows once lists show it. */
export function useRenameFolder(account: string, { id }: Folder, onDone?: () => void) {
  const changed = useFoldersChanged(account)
  const params = { path: { id } }
  return useMutation({
    mutationFn: (name: string) =>
      unwrap(apiOf(account).PATCH('/v1/folders/{id}', { params, body: { name: name.trim() } })),
    async onSuccess() {
      await changed()
      onDone?.()
    },
  })
}

/** Deletes a folder. Nothing is lost: the API refuses one with videos. */
export function useDeleteFolder(account: string, { id }: Folder, onDone?: () => void) {
  const changed = useFoldersChanged(account)
  const params = { path: { id } }
  return useMutation({
    mutationFn: () => unwrap(apiOf(account).DELETE('/v1/folders/{id}', { params })),
    async onSuccess() {
      onDone?.()
      await changed()
    },
  })
}
