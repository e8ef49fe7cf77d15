import { z } from 'zod'
import type { FolderDetails } from '../../db/videos/folders.ts'
import { isoUtc } from '../../domain/timestamps.ts'
import { deletedSchema, listSchema } from '../list.ts'
import { rowId, timestamp } from '../values.ts'

/** The folder object. */
export const folderSchema = z
  .strictObject({
    id: rowId,
    object: z.literal('folder'),
    name: z.string().meta({ description: 'Unique in the account.' }),
    parent_id: rowId.nullable().meta({ description: 'Always null: folders do not nest.' }),
    video_count: z.int(),
    created_at: timestamp('When the folder was created.'),
    updated_at: timestamp('When it was last renamed.'),
  })
  .meta({ id: 'Folder' })

export const folderListSchema = listSchema(folderSchema).meta({ id: 'FolderList' })
export const deletedFolderSchema = deletedSchema('folder', rowId).meta({ id: 'DeletedFolder' })

/** The folder object. */
export const folderView = ({
  folder,
  videoCount,
}: FolderDetails): z.output<typeof folderSchema> => ({
  id: folder.id,
  object: 'folder',
  name: folder.name,
  parent_id: null,
  video_count: videoCount,
  created_at: isoUtc(folder.createdAt),
  updated_at: isoUtc(folder.updatedAt),
})
