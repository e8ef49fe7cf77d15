import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { apiOf, unwrap } from '../../api/client.ts'
import { textIn } from '../../api/cursors.ts'
import type { components } from '../../api/schema.ts'

export type SearchResult = components['schemas']['SearchResult']

/** What is sought in captions, as in the address. */
export interface CaptionSearch {
  q?: string | undefined
}

/** What an address seeks in captions. */
export const captionSearchIn = ({ q }: Record<string, unknown>): CaptionSearch => ({ q: textIn(q) })

const FRESH_MS = 60_000

/** The moments at which something is said, the best first; none without a text. */
export const captionSearchQuery = (account: string, { q = '' }: CaptionSearch) =>
  queryOptions({
    queryKey: ['caption-search', account, q],
    queryFn: async ({ signal }) => {
      const query = { q }
      return (await unwrap(apiOf(account).GET('/v1/search', { params: { query }, signal }))).data
    },
    enabled: q.trim() !== '',
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
    // The same words are refused each time.
    retry: false,
  })
