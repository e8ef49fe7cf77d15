import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback } from 'react'
import { VIDEO_STATUSES } from '../../../../../domain/videos/video-state.ts'
import { useMayEdit } from '../../../api/me.ts'
import { FIRST_PAGE, NO_FOLDER, videosFilter } from '../../../api/video-search/filter.ts'
import { foldersQuery, type Folder } from '../../../api/videos.ts'
import { IconFolder, IconLayoutGrid, IconList } from '../../../icons/icons.tsx'
import { useWords } from '../../../locales/words.tsx'
import { Choice } from '../../../parts/forms/choice.tsx'
import { SearchField } from '../../../parts/forms/search-field.tsx'
import { ButtonLink } from '../../../parts/links/links.tsx'
import { FilterTab, FilterTabs } from '../../../parts/lists/filter-tabs.tsx'
import { ChosenFilters } from '../filters/chosen-filters.tsx'
import { FilterButton } from '../filters/filter-button.tsx'
import { SortChoice } from '../filters/sort-choice.tsx'
import { SavedViews } from '../views/saved-views.tsx'
import { useVideosWords } from '../words.ts'
import classes from './video-filters.module.css'
import { chooseVideosView, useVideosView, type VideosView } from './videos-view.ts'

const route = getRouteApi('/accounts/$account/videos')

interface Props {
  /** How many match, by status; null if they are too many to count, absent while the first page loads. */
  counts: Record<string, number> | null | undefined
}

/** Search, folder, status, further filters and the order, which are in the address; a changed one begins at the first page. And the view. */
export const VideoFilters = ({ counts }: Props) => (
  <>
    <div className={classes.filters}>
      <TitleSearch />
      <Tools />
      <SortChoice className={classes.order} />
      <ViewChoice />
      <StatusTabs counts={counts} />
    </div>
    <ChosenFilters />
  </>
)

function TitleSearch() {
  const { videos } = useWords()
  const { q = '' } = route.useSearch()
  const navigate = route.useNavigate()
  const search = useCallback(
    (text: string | undefined) => {
      const filter = { q: text, ...FIRST_PAGE }
      void navigate({ search: (now) => ({ ...now, ...filter }), replace: true })
    },
    [navigate],
  )
  return (
    <SearchField className={classes.search} label={videos.search} value={q} onSearch={search} />
  )
}

/** One line in a window that is too narrow for the folders at the side, also before they have come. */
function Tools() {
  const { account } = route.useParams()
  const mayEdit = useMayEdit(account)
  const { data: folders } = useQuery(foldersQuery(account))
  // An account without a folder has no choice of one, and its buttons have room for their words.
  const hasChoice = folders?.length !== 0
  return (
    <div className={classes.tools} data-crowded={hasChoice}>
      {hasChoice && <FolderChoice folders={folders ?? []} />}
      {mayEdit && <FoldersLink account={account} />}
      <FilterButton />
      <SavedViews account={account} />
    </div>
  )
}

/** Where the folders have no room at the side. */
function FolderChoice({ folders }: { folders: Folder[] }) {
  const { add, videos } = useWords()
  const { folder } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <Choice
      className={classes.folder}
      aria-label={videos.folder}
      value={folder}
      any={videos.anyFolder}
      options={[
        ...folders.map(({ id, name }) => [id, name] as const),
        [NO_FOLDER, add.noFolder] as const,
      ]}
      onChoose={(chosen) =>
        void navigate({ search: (now) => ({ ...now, folder: chosen, ...FIRST_PAGE }) })
      }
    />
  )
}

function FoldersLink({ account }: { account: string }) {
  const { folders } = useVideosWords()
  return (
    <ButtonLink
      className={classes.folders}
      variant="default"
      to="/accounts/$account/videos/folders"
      params={{ account }}
      search={videosFilter}
      leftSection={<IconFolder size={16} />}
    >
      {folders.title}
    </ButtonLink>
  )
}

const VIEWS = { grid: IconLayoutGrid, list: IconList } as const

function ViewChoice() {
  const { list: words } = useVideosWords()
  const current = useVideosView()
  const texts: Record<VideosView, string> = { grid: words.grid, list: words.table }
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- A fieldset cannot be laid out as these buttons are.
    <div role="group" aria-label={words.view} className={classes.views}>
      {(['grid', 'list'] as const).map((view) => {
        const Icon = VIEWS[view]
        return (
          <button
            key={view}
            type="button"
            aria-label={texts[view]}
            title={texts[view]}
            aria-pressed={view === current}
            onClick={() => chooseVideosView(view)}
          >
            <Icon size={16} />
          </button>
        )
      })}
    </div>
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
          search={(now) => ({ ...now, status, ...FIRST_PAGE })}
          activeOptions={{ exact: true }}
          isChosen={status === chosen}
          count={(status === undefined ? all : counts && (counts[status] ?? 0)) ?? null}
        >
          {status === undefined ? videos.all : names[status]}
        </FilterTab>
      ))}
    </FilterTabs>
  )
}
