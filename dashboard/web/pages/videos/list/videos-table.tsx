import type { Video, VideoProgress } from '../../../api/videos.ts'
import { useWords } from '../../../locales/words.tsx'
import { DataTable } from '../../../parts/lists/data-table.tsx'
import { SelectAll } from './select-all.tsx'
import type { Selection } from './selection.ts'
import { VideoRow } from './video-row.tsx'

export interface ViewProps {
  account: string
  videos: readonly Video[]
  /** Null for members who may not change videos. */
  selection: Selection | null
  /** The videos that are dragged with one. */
  draggedWith: (video: Video) => readonly Video[]
  progress: ReadonlyMap<string, VideoProgress>
}

/** A page of videos as rows. */
export function VideosTable({ account, videos, selection, draggedWith, progress }: ViewProps) {
  const { columns, title } = useWords().videos
  return (
    <DataTable
      label={title}
      name="videos"
      columns={[columns.video, columns.status, columns.duration, columns.size, columns.added]}
      lead={selection ? <SelectAll videos={videos} selection={selection} /> : undefined}
    >
      {videos.map((video) => (
        <VideoRow
          key={video.id}
          account={account}
          video={video}
          selection={selection}
          dragged={draggedWith(video)}
          progress={progress.get(video.id)}
        />
      ))}
    </DataTable>
  )
}
