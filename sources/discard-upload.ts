import { recordDiscarded } from '../commands/uploads/end-upload.ts'
import type { EndedUpload } from '../db/uploads/uploads.ts'
import { sourceKey, sourcePrefix } from '../domain/videos/media-paths.ts'
import type { SourceDeps } from './source-parts.ts'

/** Removes what is stored of an upload that has ended without a video, then releases its storage. Safe to repeat after a crash. */
export async function discardUpload(
  { db, storage }: SourceDeps,
  upload: EndedUpload,
  onProgress?: () => void,
): Promise<void> {
  const { videoId, objectId } = upload
  if (objectId !== null) await storage.partial.abort(sourceKey(videoId), objectId)
  await storage.deletePrefix(sourcePrefix(videoId), onProgress)
  await recordDiscarded(db.em.fork(), upload)
}
