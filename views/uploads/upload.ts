import { z } from 'zod'
import type { UploadDetails } from '../../db/uploads/uploads.ts'
import { isoUtc } from '../../domain/timestamps.ts'
import { UPLOAD_STATUSES } from '../../domain/uploads/upload.ts'
import { listSchema } from '../list.ts'
import { openEnum, rowId, timestamp } from '../values.ts'
import { ownDataSchema, ownDataView } from '../videos/own-data.ts'
import { videoId } from '../videos/video.ts'

/** The upload object. */
export const uploadSchema = z
  .strictObject({
    id: rowId,
    object: z.literal('upload'),
    status: openEnum(
      UPLOAD_STATUSES,
      'waiting until the first byte, then uploading. complete once the last byte is stored: the video of `video_id` exists then. cancelled by a request, expired by its time.',
    ),
    filename: z.string(),
    ...ownDataSchema,
    offset_bytes: z.int().meta({ description: 'How many bytes are stored.' }),
    size_bytes: z.int().nullable().meta({ description: 'Null until a client says it.' }),
    upload_url: z.string().nullable().meta({
      description:
        'Where a client sends the bytes, by tus 1.0 or in one PUT. Who knows it can send and cancel this upload, and nothing else. Null once the upload has ended.',
      format: 'uri',
    }),
    expires_at: timestamp('When the upload expires, unless more bytes arrive; when it has ended.'),
    video_id: videoId.nullable().meta({
      description: 'The video that the upload has become; null unless it is complete.',
    }),
    created_at: timestamp('When the upload was created.'),
  })
  .meta({ id: 'Upload' })

export const uploadListSchema = listSchema(uploadSchema).meta({ id: 'UploadList' })

/** The upload object; `uploadUrl` is null once the upload has ended. */
export const uploadView = (
  upload: UploadDetails,
  uploadUrl: string | null,
): z.output<typeof uploadSchema> => ({
  id: upload.id,
  object: 'upload',
  status: upload.status,
  filename: upload.filename,
  ...ownDataView(upload),
  offset_bytes: upload.offsetBytes,
  size_bytes: upload.sizeBytes,
  upload_url: uploadUrl,
  expires_at: isoUtc(upload.expiresAt),
  video_id: upload.status === 'complete' ? upload.videoId : null,
  created_at: isoUtc(upload.createdAt),
})
