import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { foldersQuery } from '../../../api/videos.ts'
import { useWords } from '../../../locales/words.tsx'
import { FieldsConflict } from '../../../parts/forms/conflict-notice.tsx'
import type { EditConflict, TwoEdits } from '../../../parts/forms/two-edits.ts'
import { useVideosWords } from '../words.ts'
import type { Edit } from './video-edit.ts'

interface Props {
  account: string
  editing: TwoEdits<Edit>
  conflict: EditConflict<Edit>
}

/** What two members have changed in the same fields of a video. */
export function VideoConflict({ account, editing: { decide }, conflict }: Props) {
  const { conflict: words, add } = useWords()
  const { details, own } = useVideosWords()
  const { data: folders = [] } = useQuery(foldersQuery(account))
  const labels = {
    title: details.name,
    description: details.description,
    folder_id: details.folder,
    external_id: own.externalId,
    tags: own.tags,
    metadata: own.metadata,
  }
  const valueOf = (name: keyof Edit, edit: Edit): ReactNode => {
    if (name !== 'folder_id') return <bdi>{textOf(name, edit) || words.empty}</bdi>
    const folder = folders.find(({ id }) => id === edit.folder_id)
    return <bdi>{folder?.name ?? edit.folder_id ?? add.noFolder}</bdi>
  }
  return <FieldsConflict {...{ conflict, decide, labels, valueOf }} />
}

function textOf(name: Exclude<keyof Edit, 'folder_id'>, edit: Edit): string {
  if (name === 'tags') return edit.tags.join(', ')
  if (name === 'metadata')
    return edit.metadata.map(({ key, value }) => `${key}: ${value}`).join(', ')
  return edit[name]
}
