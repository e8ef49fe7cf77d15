import { useQueries } from '@tanstack/react-query'
import { useProgress } from '../../api/progress.ts'
import { videoQuery, type Video, type VideoProgress } from '../../api/videos.ts'
import type { UploadItem } from '../queue/upload-item.ts'

export interface Encoding {
  video: Video
  /** While it is encoded. */
  progress: VideoProgress | undefined
}

/** Of more, the list of videos shows the state. */
const FOLLOWED_MAX = 20

/** How far the videos of the last uploads are, by their ids. */
export function useEncoding(
  account: string,
  items: readonly UploadItem[],
): ReadonlyMap<string, Encoding> {
  const ids = items.flatMap(({ videoId }) => videoId ?? []).slice(-FOLLOWED_MAX)
  const found = useQueries({ queries: ids.map((id) => videoQuery(account, id)) })
  const videos = found.flatMap(({ data }) => data ?? [])
  const progress = useProgress(account, videos)
  return new Map(
    videos.map((video) => [video.id, { video, progress: progress.get(video.id) }] as const),
  )
}
