import { mediaPrefix, parsePartKey, partPrefix } from '../../domain/videos/media-paths.ts'
import type { Rendition } from '../../domain/videos/rendition.ts'
import type { MediaWork } from '../../media/run-tool.ts'
import type { ObjectStorage } from '../../storage/object-storage.ts'

/**
 * Removes the objects of attempts that were not recorded, because their worker was killed or another attempt was
 * faster. Call it when every rendition of the video is published.
 */
export async function removeUnusedParts(
  storage: ObjectStorage,
  videoId: string,
  published: readonly Rendition[],
  { onProgress }: MediaWork,
): Promise<void> {
  const used = new Set(
    published.flatMap(({ name, parts = [] }) =>
      parts.map(({ token }) => partPrefix(videoId, name, token)),
    ),
  )
  const unused = new Set<string>()
  for await (const { key } of storage.list(mediaPrefix(videoId))) {
    const part = parsePartKey(key)
    const prefix = part && partPrefix(videoId, part.rendition, part.token)
    if (prefix !== null && !used.has(prefix)) unused.add(prefix)
    onProgress?.()
  }
  for (const prefix of unused) await storage.deletePrefix(prefix, onProgress)
}
