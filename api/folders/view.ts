import type { z } from 'zod'
import type { FolderDetails } from '../../db/folders.ts'
import { isoUtc } from '../../domain/timestamps.ts'
import type { folderSchema } from './schemas.ts'

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
