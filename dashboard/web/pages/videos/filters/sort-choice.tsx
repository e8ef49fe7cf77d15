import { getRouteApi } from '@tanstack/react-router'
import { FIRST_PAGE, VIDEO_SORTS } from '../../../api/video-search/filter.ts'
import { Choice } from '../../../parts/forms/choice.tsx'
import { useVideosWords } from '../words.ts'

const route = getRouteApi('/accounts/$account/videos')

/** The order of the list, which the address keeps. */
export function SortChoice({ className }: { className?: string | undefined }) {
  const { filters } = useVideosWords()
  const { sort = VIDEO_SORTS[0] } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <Choice
      className={className}
      aria-label={filters.sort}
      value={sort}
      options={VIDEO_SORTS.map((one) => [one, filters.sorts[one]])}
      onChoose={(chosen) =>
        void navigate({
          search: (now) => ({
            ...now,
            ...FIRST_PAGE,
            sort: chosen === VIDEO_SORTS[0] ? undefined : chosen,
          }),
        })
      }
    />
  )
}
