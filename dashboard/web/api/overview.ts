import { queryOptions } from '@tanstack/react-query'
import { apiOf, unwrap } from './client.ts'
import type { components } from './schema.ts'

export type Overview = components['schemas']['Overview']

/** How long the frame of the pages shows an overview before it asks again, with the next page. */
const FRESH_MS = 300_000
/** How long the page of the overview shows one that was loaded before. */
export const OVERVIEW_FRESH_MS = 1_000
/** How often the page of the overview asks. */
export const OVERVIEW_REFRESH_MS = 60_000

/** What needs attention, and what is nearly used up, which every page shows. */
export const overviewQuery = (account: string) =>
  queryOptions({
    queryKey: ['overview', account],
    queryFn: ({ signal }) => unwrap(apiOf(account).GET('/overview', { signal })),
    staleTime: FRESH_MS,
  })
