import { z } from 'zod'
import {
  VIEWER_ID_MAX_LENGTH,
  VIEWER_TOKEN_DEFAULT_TTL_SECONDS,
  VIEWER_TOKEN_MAX_TTL_SECONDS,
  VIEWER_TOKEN_MIN_TTL_SECONDS,
} from '../../domain/limits.ts'
import { isPlainViewerId } from '../../domain/viewer-id.ts'

const viewerId = { minLength: 1, maxLength: VIEWER_ID_MAX_LENGTH, example: 'viewer-42' }

/** Body of POST /v1/videos/{id}/playback-tokens. */
export const createPlaybackTokenBody = z.strictObject({
  viewer_id: z
    .string()
    .refine(isPlainViewerId, {
      message:
        'must be 1 to 64 characters (at most 64 bytes) that can be seen, without control characters and bidirectional controls',
    })
    .meta({
      ...viewerId,
      description:
        'Visible plain text of at most 64 bytes, without control characters and bidirectional controls.',
    }),
  ttl_seconds: z
    .int()
    .min(VIEWER_TOKEN_MIN_TTL_SECONDS)
    .max(VIEWER_TOKEN_MAX_TTL_SECONDS)
    .default(VIEWER_TOKEN_DEFAULT_TTL_SECONDS),
})
