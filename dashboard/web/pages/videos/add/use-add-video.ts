import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { apiOf, unwrap } from '../../../api/client.ts'
import { Problem, problemOf } from '../../../api/problem.ts'
import { foldersQuery, refreshVideos } from '../../../api/videos.ts'
import type { Saving } from '../../../parts/dialogs/form-dialog.tsx'
import { useVideosWords } from '../words.ts'

/** The folder that is to be made, in place of the id of one. */
export const NEW_FOLDER = 'new'

/** A form, whose fields are named as in the refusals of the API. */
export interface NewVideo {
  source_url: string
  title: string
  /** The id of a folder, `NEW_FOLDER`, or empty for none. */
  folder_id: string
  /** The name of the new folder. */
  name: string
}

/**
 * Adds a video, after its new folder, and opens its page. `onFolder` is given the id of a folder that was made, so that
 * another attempt uses it. What is wrong with a field is said in plain words.
 */
export function useAddVideo(account: string, onFolder: (id: string) => void): Saving<NewVideo> {
  const { add: words } = useVideosWords()
  const navigate = useNavigate()
  const client = useQueryClient()
  const folderOf = async ({ folder_id: chosen, name }: NewVideo): Promise<number | undefined> => {
    if (chosen !== NEW_FOLDER) return Number(chosen) || undefined
    const { id } = await unwrap(apiOf(account).POST('/v1/folders', { body: { name: name.trim() } }))
    await client.invalidateQueries(foldersQuery(account))
    onFolder(String(id))
    return id
  }
  const add = useMutation({
    mutationFn: async (video: NewVideo) => {
      const body = {
        source_url: video.source_url.trim(),
        title: video.title.trim() || undefined,
        folder_id: await folderOf(video),
      }
      return unwrap(apiOf(account).POST('/v1/videos', { body }))
    },
    async onSuccess({ id }) {
      await refreshVideos(client, account)
      await navigate({ to: '/accounts/$account/videos/$video', params: { account, video: id } })
    },
  })
  const texts = new Map<string, string>(Object.entries(words.refused))
  return { ...add, error: add.error && inPlainWords(problemOf(add.error), texts) }
}

/** The problem with a known cause in plain words, and the status that the source sent; as it is for another cause. */
function inPlainWords(problem: Problem, texts: ReadonlyMap<string, string>): Problem {
  const { kind, code, status, field, requestId } = problem
  const text = texts.get(code)
  if (field === null || text === undefined) return problem
  const [, sent] = /\bstatus (\d{3})\b/.exec(problem.message) ?? []
  const message = sent === undefined ? text : `${text} (HTTP ${sent})`
  return new Problem({ kind, code, message, status, field, requestId })
}
