import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { foldersQuery, type Video } from '../../../api/videos.ts'
import { useWords } from '../../../locales/words.tsx'
import { FieldsConflict } from '../../../parts/forms/conflict-notice.tsx'
import type { EditConflict, TwoEdits } from '../../../parts/forms/two-edits.ts'
import { useVideosWords } from '../words.ts'

/** What the form of a video changes. */
export type Edit = Pick<Video, 'title' | 'description' | 'folder_id'>

interface Props {
  account: string
  editing: TwoEdits<Edit>
  conflict: EditConflict<Edit>
}

/** What two members have changed in the same fields of a video. */
export function VideoConflict({ account, editing: { decide }, conflict }: Props) {
  const { conflict: words, add } = useWords()
  const { details } = useVideosWords()
  const { data: folders = [] } = useQuery(foldersQuery(account))
  const labels = {
    title: details.name,
    description: details.description,
    folder_id: details.folder,
  }
  const valueOf = (name: keyof Edit, edit: Edit): ReactNode => {
    if (name !== 'folder_id') return <bdi>{edit[name] === '' ? words.empty : edit[name]}</bdi>
    const folder = folders.find(({ id }) => id === edit.folder_id)
    return <bdi>{folder?.name ?? edit.folder_id ?? add.noFolder}</bdi>
  }
  return <FieldsConflict {...{ conflict, decide, labels, valueOf }} />
}
