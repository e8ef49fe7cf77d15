import { z } from 'zod'
import { FOLDER_NAME_MAX_LENGTH } from '../../domain/limits.ts'
import { deletedSchema, listOf, listQuery, rowId, rowIdInQuery, rowIdParameter } from '../list.ts'
import { text, timestamp } from '../text.ts'

/** Body of POST /v1/folders and of PATCH /v1/folders/{id}. */
export const folderBody = z.strictObject({
  name: text({ maxLength: FOLDER_NAME_MAX_LENGTH, example: 'Autumn' }),
})

export const folderIdParameter = rowIdParameter('folder_not_found')
export const listFoldersQuery = listQuery(rowIdInQuery, {})

/** The folder object (design, section 7). */
export const folderSchema = z
  .strictObject({
    id: rowId,
    object: z.literal('folder'),
    name: z.string().meta({ description: 'Unique in the account.' }),
    parent_id: z.null().meta({ description: 'Folders do not nest.' }),
    video_count: z.int(),
    created_at: timestamp('When the folder was created.'),
    updated_at: timestamp('When it was renamed last.'),
  })
  .meta({ id: 'Folder' })

export const folderListSchema = listOf(folderSchema).meta({ id: 'FolderList' })
export const deletedFolderSchema = deletedSchema('folder', rowId).meta({ id: 'DeletedFolder' })
