import { decodeAccountId, isVideoId } from '../../../domain/embed-url.ts'
import { ROW_ID_MAX } from '../../../domain/row-id.ts'

/** Video and account of `/{video_id}/{base64_account_id}`; null where the path is malformed. */
export function readEmbedPath(params: {
  videoId: string
  account: string
}): { videoId: string; accountId: number } | null {
  const { videoId, account } = params
  const accountId = decodeAccountId(account)
  if (!isVideoId(videoId) || accountId === null || accountId > ROW_ID_MAX) return null
  return { videoId, accountId }
}
