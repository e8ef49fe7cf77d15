import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { answerOf, apiOf } from '../../api/client.ts'
import { problemOf } from '../../api/problem.ts'
import type { Problem } from '../../api/problem.ts'
import { foldersQuery } from '../../api/videos.ts'
import type { ChosenFolder } from './folder-choice.tsx'
import { useVideosWords } from './words.ts'

interface NewVideo {
  sourceUrl: string
  title: string
  folder: ChosenFolder
}

const FIELDS: readonly (string | null)[] = ['source_url', 'title', 'folder_id', 'name']

/**
 * Adds a video, after its new folder, and opens its page. `onFolder` is given a folder that was made, so that another
 * attempt uses it. `errorAt` returns in plain words what is wrong with a field; `otherError` belongs to none.
 */
export function useAddVideo(account: string, onFolder: (folder: ChosenFolder) => void) {
  const { add: words } = useVideosWords()
  const navigate = useNavigate()
  const client = useQueryClient()
  const idOf = async ({ id, newName }: ChosenFolder): Promise<number | null> => {
    if (newName === null) return id
    const body = { name: newName.trim() }
    const folder = await answerOf(apiOf(account).POST('/v1/folders', { body }))
    await client.invalidateQueries(foldersQuery(account))
    onFolder({ id: folder.id, newName: null })
    return folder.id
  }
  const add = useMutation({
    mutationFn: async ({ sourceUrl, title, folder }: NewVideo) => {
      const body = {
        source_url: sourceUrl,
        title: title || undefined,
        folder_id: (await idOf(folder)) ?? undefined,
      }
      return answerOf(apiOf(account).POST('/v1/videos', { body }))
    },
    async onSuccess({ id }) {
      await client.invalidateQueries({ queryKey: ['videos', account] })
      await navigate({ to: '/accounts/$account/videos/$video', params: { account, video: id } })
    },
  })
  const problem = add.error && problemOf(add.error)
  const texts = new Map<string, string>(Object.entries(words.refused))
  return {
    add,
    otherError: problem && !FIELDS.includes(problem.field) ? problem : null,
    errorAt: (field: string) =>
      problem?.field === field ? plainText(problem, texts.get(problem.code)) : undefined,
  }
}

/** The known cause in plain words, with the status that the source sent; what the server says otherwise. */
function plainText({ message }: Problem, text: string | undefined): string {
  const [, status] = /\bstatus (\d{3})\b/.exec(message) ?? []
  if (text === undefined) return message
  return status === undefined ? text : `${text} (HTTP ${status})`
}
