import { z } from 'zod'
import { FOLDER_NAME_MAX_LENGTH } from '../../domain/limits.ts'
import { listQuery, rowIdInQuery, rowIdParameter } from '../list.ts'
import { text } from '../text.ts'

/** Body of POST /v1/folders and of PATCH /v1/folders/{id}. */
export const folderBody = z.strictObject({
  name: text({ maxLength: FOLDER_NAME_MAX_LENGTH, example: 'Autumn' }),
})

export const folderIdParameter = rowIdParameter('folder_not_found')
export const listFoldersQuery = listQuery(rowIdInQuery, {})
