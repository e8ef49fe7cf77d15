import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useMayEdit } from '../../../api/me.ts'
import { useProgress } from '../../../api/progress.ts'
import type { VideosPage } from '../../../api/videos.ts'
import { useWords } from '../../../locales/words.tsx'
import { SelectBox } from '../../../parts/forms/select-box.tsx'
import { DataTable } from '../../../parts/lists/data-table.tsx'
import { useVideosWords } from '../words.ts'
import { useSelection, type Selection } from './selection.ts'
import { VideoRow } from './video-row.tsx'

/** With its dialogs, which the first view does not need. */
const SelectionBar = lazy(async () => ({
  default: (await import('./selection-bar.tsx')).SelectionBar,
}))

const route = getRouteApi('/accounts/$account/videos')

interface Props {
  account: string
  page: VideosPage
}

/** A page of videos. Members who may change videos choose some of them here. */
export function VideosTable({ account, page }: Props) {
  const { columns, title } = useWords().videos
  const search = route.useSearch()
  const videos = page.data
  const progress = useProgress(account, videos)
  const selection = useSelection(search, videos)
  const mayEdit = useMayEdit(account)
  return (
    <>
      {mayEdit && selection.ids.size > 0 && (
        <Suspense>
          <SelectionBar account={account} page={page} selection={selection} />
        </Suspense>
      )}
      <DataTable
        label={title}
        columns={[columns.video, columns.status, columns.duration, columns.size, columns.added]}
        lead={mayEdit ? <SelectAll page={page} selection={selection} /> : undefined}
      >
        {videos.map((video) => (
          <VideoRow
            key={video.id}
            account={account}
            video={video}
            selection={mayEdit ? selection : null}
            progress={progress.get(video.id)}
          />
        ))}
      </DataTable>
    </>
  )
}

function SelectAll({ page, selection }: { page: VideosPage; selection: Selection }) {
  const { list } = useVideosWords()
  const ids = page.data.map(({ id }) => id)
  const isAll = selection.ids.size === ids.length
  return (
    <SelectBox
      label={list.selectAll}
      isChecked={isAll}
      isPartly={!isAll && selection.ids.size > 0}
      onChange={() => selection.set(ids, !isAll)}
    />
  )
}
