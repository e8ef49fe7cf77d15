import { queryOptions } from '@tanstack/react-query'
import { isSame } from '../../../../domain/accounts/audit.ts'
import type { SavedSearch } from '../../../../domain/videos/saved-search.ts'
import { apiOf, unwrap } from '../client.ts'
import type { components } from '../schema.ts'
import { videosMatch, type VideosMatch } from './filter.ts'

export type SavedView = components['schemas']['SavedView']

/** The views that the member has saved in the account, by name. */
export const savedViewsQuery = (account: string) =>
  queryOptions({
    queryKey: ['saved-views', account],
    queryFn: async ({ signal }) => {
      const { data } = await unwrap(apiOf(account).GET('/me/saved-views', { signal }))
      return data.toSorted((one, other) => one.name.localeCompare(other.name))
    },
    staleTime: 60_000,
  })

/** Filters and order as a view keeps them. */
export const toSavedSearch = (match: VideosMatch): SavedSearch =>
  Object.fromEntries(
    Object.entries(match).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  )

/** Whether a view shows what an address shows. */
export const isShown = ({ search }: SavedView, match: VideosMatch): boolean =>
  isSame(toSavedSearch(videosMatch(search)), toSavedSearch(match))
