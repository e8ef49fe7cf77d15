import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { movingVideos, progressQuery, type Video, type VideoProgress } from './videos.ts'

const NO_PROGRESS: VideoProgress[] = []

/**
 * The progress of those videos that still move, by id. When the status of one has changed, what shows it
 * is loaded again.
 */
export function useProgress(
  account: string,
  videos: readonly Pick<Video, 'id' | 'status'>[],
): ReadonlyMap<string, VideoProgress> {
  const client = useQueryClient()
  const moving = movingVideos(videos)
  const ids = moving.map(({ id }) => id).toSorted()
  const { data = NO_PROGRESS } = useQuery(progressQuery(account, ids))
  const progress = useMemo(() => new Map(data.map((one) => [one.id, one])), [data])
  // The last response stays until the next one; what it says of a video that has ended is old.
  const current = new Map([...progress].filter(([id]) => ids.includes(id)))
  const changed = moving.some(({ id, status }) => {
    const latest = progress.get(id)
    return latest !== undefined && latest.status !== status
  })
  useEffect(() => {
    if (!changed) return
    void client.invalidateQueries({ queryKey: ['videos', account] })
    void client.invalidateQueries({ queryKey: ['video', account] })
    void client.invalidateQueries({ queryKey: ['overview', account] })
  }, [changed, client, account])
  return current
}
