import type { MoreFilters } from '../../../api/video-search/filter.ts'
import { useFormats } from '../../../parts/text/formats.ts'
import { useVideosWords } from '../words.ts'

/** A filter in words. */
export interface FilterText {
  name: string
  value: string
  /** The parts of the address that it consists of. */
  without: Readonly<Record<string, undefined>>
}

/** The filters of the dialog that an address has, in words. */
export function useFilterTexts(search: MoreFilters): FilterText[] {
  const { filters } = useVideosWords()
  const { day, duration } = useFormats()
  const dayOf = (text: string | undefined) => text && day(Date.parse(text), 'UTC')
  const lengthOf = (seconds: number | undefined) =>
    seconds === undefined ? undefined : duration(seconds)
  const { tag, external_id: externalId, key, value, protection } = search
  const all: (Omit<FilterText, 'value'> & { value: string | undefined })[] = [
    { name: filters.tag, value: tag, without: { tag: undefined } },
    { name: filters.externalId, value: externalId, without: { external_id: undefined } },
    { name: key ?? '', value, without: { key: undefined, value: undefined } },
    {
      name: filters.protection,
      value: protection && filters.protections[protection],
      without: { protection: undefined },
    },
    {
      name: filters.createdFrom,
      value: dayOf(search.created_from),
      without: { created_from: undefined },
    },
    {
      name: filters.createdTo,
      value: dayOf(search.created_to),
      without: { created_to: undefined },
    },
    {
      name: filters.minLength,
      value: lengthOf(search.min_seconds),
      without: { min_seconds: undefined },
    },
    {
      name: filters.maxLength,
      value: lengthOf(search.max_seconds),
      without: { max_seconds: undefined },
    },
  ]
  return all.flatMap(({ value: shown, ...rest }) =>
    shown === undefined ? [] : [{ ...rest, value: shown }],
  )
}
