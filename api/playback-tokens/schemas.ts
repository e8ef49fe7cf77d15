import { z } from 'zod'
import {
  VIEWER_TOKEN_DEFAULT_TTL_SECONDS,
  VIEWER_TOKEN_MAX_TTL_SECONDS,
  VIEWER_TOKEN_MIN_TTL_SECONDS,
} from '../../domain/limits.ts'
import { isViewerId } from '../../security/viewer-token.ts'

/** Body of POST /v1/videos/{id}/playback-tokens. */
export const createPlaybackTokenBody = z.strictObject({
  viewer_id: z.string().refine(isViewerId, {
    message: 'must be 1 to 64 characters (at most 64 bytes) without control characters',
  }),
  ttl_seconds: z
    .int()
    .min(VIEWER_TOKEN_MIN_TTL_SECONDS)
    .max(VIEWER_TOKEN_MAX_TTL_SECONDS)
    .default(VIEWER_TOKEN_DEFAULT_TTL_SECONDS),
})
