import { PROTECTIONS } from '../../../../../domain/accounts/plan.ts'
import { FIRST_PAGE, type MoreFilters } from '../../../api/video-search/filter.ts'
import type { VideosWords } from '../locales/en.ts'

/** The filters as they are typed; an empty text is none. Lengths are in minutes. */
export type TypedFilters = Record<
  Exclude<keyof MoreFilters, 'min_seconds' | 'max_seconds'> | 'min_minutes' | 'max_minutes',
  string
>

const MINUTE = 60

const minutesOf = (seconds: number | undefined): string =>
  seconds === undefined ? '' : String(seconds / MINUTE)

/** The filters of an address as texts of a form. */
export const toTyped = (filters: MoreFilters): TypedFilters => ({
  tag: filters.tag ?? '',
  external_id: filters.external_id ?? '',
  key: filters.key ?? '',
  value: filters.value ?? '',
  protection: filters.protection ?? '',
  created_from: filters.created_from ?? '',
  created_to: filters.created_to ?? '',
  min_minutes: minutesOf(filters.min_seconds),
  max_minutes: minutesOf(filters.max_seconds),
})

/** What changes in the address when the typed filters are chosen. */
export const toFilters = ({
  min_minutes: min,
  max_minutes: max,
  protection,
  ...typed
}: TypedFilters) => {
  const given = (text: string) => text.trim() || undefined
  const seconds = (minutes: string) =>
    minutes === '' ? undefined : Math.round(Number(minutes) * MINUTE)
  return {
    ...FIRST_PAGE,
    tag: given(typed.tag),
    external_id: given(typed.external_id),
    key: given(typed.key),
    value: given(typed.value),
    created_from: given(typed.created_from),
    created_to: given(typed.created_to),
    min_seconds: seconds(min),
    max_seconds: seconds(max),
    protection: PROTECTIONS.find((one) => one === protection),
  }
}

/** What is wrong with the typed filters, by field. */
export function faultsOf(
  typed: TypedFilters,
  { filters }: VideosWords,
): Partial<Record<keyof TypedFilters, string>> {
  const {
    key,
    value,
    created_from: from,
    created_to: to,
    min_minutes: min,
    max_minutes: max,
  } = typed
  const hasKey = key.trim() !== ''
  const isHalf = hasKey !== (value.trim() !== '')
  return {
    ...(isHalf && { [hasKey ? 'value' : 'key']: filters.wrongPair }),
    ...(from !== '' && to !== '' && from > to && { created_to: filters.wrongDays }),
    ...(min !== '' &&
      max !== '' &&
      Number(min) > Number(max) && { max_minutes: filters.wrongLengths }),
  }
}
