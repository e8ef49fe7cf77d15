import type { Reelgate, Upload, Video } from '../../../sdk/src/index.ts'
import type { Journal } from './journal.ts'

/** What the service says of the work of earlier runs. */
export interface ServerState {
  /** The status of a video; null if there is none. */
  statusOf: (videoId: string) => Video['status'] | null
  /** An upload of this external id that takes bytes or has become a video; null if it has ended otherwise. */
  uploadOf: (uploadId: number, externalId: string) => Upload | null
}

/** The clocks of this machine and of the service may differ. */
const CLOCKS_MS = 86_400_000

/**
 * Reads the videos and the uploads since a journal began, a hundred with each request. A journal alone is not believed: a video may be
 * deleted, and the key may be that of another account. Throws a ReelgateError.
 */
export async function readServerState(
  reelgate: Reelgate,
  { beganAt }: Pick<Journal, 'beganAt'>,
  signal: AbortSignal,
): Promise<ServerState> {
  const statuses = new Map<string, Video['status']>()
  const uploads = new Map<number, Upload>()
  if (beganAt !== null) {
    const since = new Date(beganAt.getTime() - CLOCKS_MS)
    // The uploads first: a request of a killed run may still end one, and its video must not be missed then.
    for await (const upload of reelgate.uploads.listAll({}, { signal })) {
      if (Date.parse(upload.created_at) < since.getTime()) break
      if (upload.upload_url !== null || upload.video_id !== null) uploads.set(upload.id, upload)
    }
    const query = { 'created[gte]': since.toISOString() }
    for await (const { id, status } of reelgate.videos.listAll(query, { signal }))
      statuses.set(id, status)
  }
  return {
    statusOf: (videoId) => statuses.get(videoId) ?? null,
    uploadOf(uploadId, externalId) {
      const upload = uploads.get(uploadId)
      // In a journal of another service, or of one that was restored, the number is that of another upload.
      return upload?.external_id === externalId ? upload : null
    },
  }
}
