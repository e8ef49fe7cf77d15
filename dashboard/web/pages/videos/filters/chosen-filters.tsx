import { getRouteApi } from '@tanstack/react-router'
import { FIRST_PAGE, NO_MORE_FILTERS } from '../../../api/video-search/filter.ts'
import { interpolate } from '../../../locales/interpolate.ts'
import { useWords } from '../../../locales/words.tsx'
import { TextLink } from '../../../parts/links/links.tsx'
import { FilterChip, FilterChips } from '../../../parts/lists/filter-chip.tsx'
import { useVideosWords } from '../words.ts'
import { useFilterTexts } from './filter-texts.ts'
import classes from './filters.module.css'

const route = getRouteApi('/accounts/$account/videos')

/** The filters of the dialog that the list has, each with a link that removes it, and one that removes all. */
export function ChosenFilters() {
  const { videos } = useWords()
  const { filters } = useVideosWords()
  const texts = useFilterTexts(route.useSearch())
  return (
    <FilterChips className={classes.chosen}>
      {texts.map(({ name, value, without }) => (
        <FilterChip
          key={Object.keys(without).join()}
          name={name}
          value={value}
          without={without}
          label={interpolate(filters.remove, { filter: `${name}: ${value}` })}
        />
      ))}
      {texts.length > 1 && (
        <TextLink
          size="sm"
          from="/accounts/$account/videos"
          to="."
          search={(now) => ({ ...now, ...FIRST_PAGE, ...NO_MORE_FILTERS })}
        >
          {videos.clear}
        </TextLink>
      )}
    </FilterChips>
  )
}
