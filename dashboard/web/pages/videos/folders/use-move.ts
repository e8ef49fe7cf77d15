import { useMutation, useQueryClient } from '@tanstack/react-query'
import { apiOf, unwrap } from '../../../api/client.ts'
import { refreshVideos, type Folder, type Video } from '../../../api/videos.ts'
import { interpolate } from '../../../locales/interpolate.ts'
import { notify } from '../../../parts/notify.ts'
import { useFormats } from '../../../parts/text/formats.ts'
import { useVideosWords } from '../words.ts'

export interface Move {
  videos: readonly Video[]
  /** Null takes them out of any folder. */
  folder: Pick<Folder, 'id' | 'name'> | null
}

/** Moves videos to a folder, and offers for some seconds to move them back to where each was. */
export function useMove(account: string) {
  const { list } = useVideosWords()
  const { counted } = useFormats()
  const client = useQueryClient()
  const send = (videos: readonly Video[], folderId: number | null) => {
    const body = { ids: videos.map(({ id }) => id), folder_id: folderId }
    return unwrap(apiOf(account).POST('/videos/move', { body }))
  }
  const undo = useMutation({
    mutationFn: async (videos: readonly Video[]) => {
      const former = new Set(videos.map((video) => video.folder_id))
      for (const folderId of former)
        await send(
          videos.filter((video) => video.folder_id === folderId),
          folderId,
        )
    },
    onSuccess: () => notify(list.undone),
    onSettled: () => refreshVideos(client, account),
  })
  return useMutation({
    mutationFn: ({ videos, folder }: Move) => send(videos, folder?.id ?? null),
    async onSuccess(_moved, { videos, folder }) {
      const text = folder
        ? interpolate(counted(list.moved, videos.length), { folder: folder.name })
        : counted(list.movedOut, videos.length)
      notify(text, { label: list.undo, run: () => undo.mutate(videos) })
      await refreshVideos(client, account)
    },
  })
}
