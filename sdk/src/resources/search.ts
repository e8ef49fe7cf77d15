import { toInit, unwrap, type CallOptions, type Http } from '../http.ts'
import type { Query, SearchResultList } from '../types.ts'

/** GET /v1/search. */
export const searchOf =
  (http: Http) =>
  /** Finds the moments at which something is said, by captions; the best first. There are no pages. */
  (query: Query<'search'>, options: CallOptions = {}): Promise<SearchResultList> =>
    unwrap<'search'>(http.GET('/v1/search', { params: { query }, ...toInit(options) }))
