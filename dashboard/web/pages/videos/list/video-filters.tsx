import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback } from 'react'
import { VIDEO_STATUSES } from '../../../../../domain/videos/video-state.ts'
import { foldersQuery } from '../../../api/videos.ts'
import { useWords } from '../../../locales/words.tsx'
import { Choice } from '../../../parts/forms/choice.tsx'
import { SearchField } from '../../../parts/forms/search-field.tsx'
import { FilterTab, FilterTabs } from '../../../parts/lists/filter-tabs.tsx'
import classes from '../videos.module.css'

const route = getRouteApi('/accounts/$account/videos')

interface Props {
  /** How many match, by status; null if they are too many to count, absent while the first page loads. */
  counts: Record<string, number> | null | undefined
}

/** Search, folder and status. All of them are in the address; a changed filter begins at the first page. */
export const VideoFilters = ({ counts }: Props) => (
  <div className={classes.filters}>
    <TitleSearch />
    <FolderChoice />
    <StatusTabs counts={counts} />
  </div>
)

function TitleSearch() {
  const { videos } = useWords()
  const { q = '' } = route.useSearch()
  const navigate = route.useNavigate()
  const search = useCallback(
    (text: string | undefined) => {
      const filter = { q: text, after: undefined, before: undefined }
      void navigate({ search: (now) => ({ ...now, ...filter }), replace: true })
    },
    [navigate],
  )
  return (
    <SearchField className={classes.search} label={videos.search} value={q} onSearch={search} />
  )
}

function FolderChoice() {
  const { videos } = useWords()
  const { account } = route.useParams()
  const { folder } = route.useSearch()
  const navigate = route.useNavigate()
  const { data: folders = [] } = useQuery(foldersQuery(account))
  if (folders.length === 0) return null
  return (
    <Choice
      aria-label={videos.folder}
      value={folder}
      any={videos.anyFolder}
      options={folders.map(({ id, name }) => [id, name])}
      onChoose={(id) =>
        void navigate({
          search: (now) => ({ ...now, folder: id, after: undefined, before: undefined }),
        })
      }
    />
  )
}

function StatusTabs({ counts }: Props) {
  const { videos, status: names } = useWords()
  const { account } = route.useParams()
  const { status: chosen } = route.useSearch()
  const all = counts && Object.values(counts).reduce((sum, count) => sum + count, 0)
  const present = VIDEO_STATUSES.filter(
    (status) => status === chosen || counts === null || (counts?.[status] ?? 0) > 0,
  )
  return (
    <FilterTabs label={videos.status}>
      {[undefined, ...present].map((status) => (
        <FilterTab
          key={status ?? 'all'}
          to="/accounts/$account/videos"
          params={{ account }}
          search={(now) => ({ ...now, status, after: undefined, before: undefined })}
          activeOptions={{ exact: true }}
          isChosen={status === chosen}
          count={status === undefined ? all : counts && (counts[status] ?? 0)}
        >
          {status === undefined ? videos.all : names[status]}
        </FilterTab>
      ))}
    </FilterTabs>
  )
}
