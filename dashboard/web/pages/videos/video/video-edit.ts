import { isSame } from '../../../../../domain/accounts/audit.ts'
import type { Video } from '../../../api/videos.ts'
import {
  areSameRows,
  metadataChange,
  toMetadata,
  toRows,
  type MetadataRow,
} from '../own/metadata-rows.ts'

/** What the form of a video changes. An empty external id is none. */
export interface Edit extends Pick<Video, 'title' | 'description' | 'folder_id' | 'tags'> {
  external_id: string
  metadata: MetadataRow[]
}

/** The form of a video. */
export const toEdit = (video: Video): Edit => ({
  title: video.title,
  description: video.description,
  folder_id: video.folder_id,
  external_id: video.external_id ?? '',
  tags: video.tags,
  metadata: toRows(video.metadata),
})

/** As `toEdit`, with the rows of another form if they say the same in another order. */
export function toEditBeside(video: Video, { metadata }: Edit): Edit {
  const edit = toEdit(video)
  return areSameRows(edit.metadata, metadata) ? { ...edit, metadata } : edit
}

/** Only what was changed is sent, so that the change of another member to another field stays. */
export function changeOf(before: Edit, now: Edit) {
  const changed = <Name extends keyof Edit>(name: Name): Edit[Name] | undefined =>
    isSame(now[name], before[name]) ? undefined : now[name]
  const externalId = changed('external_id')?.trim()
  return {
    title: changed('title'),
    description: changed('description'),
    folder_id: changed('folder_id'),
    external_id: externalId === '' ? null : externalId,
    tags: changed('tags'),
    metadata: metadataChange(before.metadata, now.metadata),
  }
}

/** What a change starts from. */
export const fromOf = ({ external_id: externalId, metadata, ...edit }: Edit) => ({
  ...edit,
  external_id: externalId === '' ? null : externalId,
  metadata: toMetadata(metadata),
})
