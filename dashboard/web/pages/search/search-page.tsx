import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi } from '@tanstack/react-router'
import { useCallback } from 'react'
import { problemOf } from '../../api/problem.ts'
import { IconSearch, IconSearchOff } from '../../icons/icons.tsx'
import { useWords } from '../../locales/words.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { SearchField } from '../../parts/forms/search-field.tsx'
import layout from '../../parts/layout.module.css'
import { TextLink } from '../../parts/links/links.tsx'
import { TableSkeleton } from '../../parts/lists/data-table.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import parts from '../../parts/parts.module.css'
import { captionSearchQuery } from './caption-search.ts'
import { ResultList } from './result-list.tsx'
import classes from './search.module.css'
import { useSearchWords } from './words.ts'

const route = getRouteApi('/accounts/$account/videos/search')

/** Finds the moments at which something is said, and plays them. */
function SearchPage() {
  const { videos } = useWords()
  const words = useSearchWords()
  const { account } = route.useParams()
  const { q } = route.useSearch()
  return (
    <>
      <div className={parts.above}>
        <TextLink to="/accounts/$account/videos" params={{ account }}>
          {videos.title}
        </TextLink>
      </div>
      <PageHeader title={words.title} />
      <p className={layout.intro}>{words.intro}</p>
      <Search q={q ?? ''} />
      {q === undefined ? (
        <EmptyState icon={IconSearch} title={words.emptyTitle} text={words.emptyText} />
      ) : (
        <Results account={account} q={q} />
      )}
    </>
  )
}

function Search({ q }: { q: string }) {
  const words = useSearchWords()
  const navigate = route.useNavigate()
  const search = useCallback(
    (text: string | undefined): void => void navigate({ search: { q: text }, replace: true }),
    [navigate],
  )
  return <SearchField className={classes.search} label={words.search} value={q} onSearch={search} />
}

function Results({ account, q }: { account: string; q: string }) {
  const words = useSearchWords()
  const { data, error, refetch } = useQuery(captionSearchQuery(account, { q }))
  if (error && problemOf(error).code === 'invalid_parameter')
    return <EmptyState icon={IconSearchOff} title={words.wordsTitle} text={words.wordsText} />
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <TableSkeleton height={96} />
  if (data.length === 0)
    return <EmptyState icon={IconSearchOff} title={words.noneTitle} text={words.noneText} />
  return <ResultList account={account} results={data} />
}

export const searchRoute = createLazyRoute('/accounts/$account/videos/search')({
  component: SearchPage,
})
