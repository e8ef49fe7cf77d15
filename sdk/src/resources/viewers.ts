import { atPath, toInit, unwrap, type CallOptions, type Http } from '../http.ts'
import { everyItem, PAGE_LIMIT_MAX } from '../pagination.ts'
import type {
  Filters,
  Query,
  Viewer,
  ViewerList,
  ViewerProgress,
  ViewerProgressList,
} from '../types.ts'

/** Calls for viewers with a verified id; each throws ReelgateError. */
export function viewersOf(http: Http) {
  const viewers = {
    /** One page, those that were counted last first. */
    list: (query: Query<'listViewers'> = {}, options: CallOptions = {}): Promise<ViewerList> =>
      unwrap<'listViewers'>(http.GET('/v1/viewers', { params: { query }, ...toInit(options) })),

    /** Every viewer, page by page. */
    listAll: (
      query: Filters<'listViewers'> = {},
      options: CallOptions = {},
    ): AsyncGenerator<Viewer, void, undefined> =>
      everyItem<Viewer>((cursor) =>
        viewers.list({ limit: PAGE_LIMIT_MAX, ...query, ...cursor }, options),
      ),

    get: (viewerId: string, options: CallOptions = {}): Promise<Viewer> =>
      unwrap<'getViewer'>(
        http.GET('/v1/viewers/{viewer_id}', atPath({ viewer_id: viewerId }, options)),
      ),

    /** One page of the videos that a viewer has watched. */
    listProgress: (
      viewerId: string,
      query: Query<'listViewerProgress'> = {},
      options: CallOptions = {},
    ): Promise<ViewerProgressList> =>
      unwrap<'listViewerProgress'>(
        http.GET('/v1/viewers/{viewer_id}/progress', {
          params: { path: { viewer_id: viewerId }, query },
          ...toInit(options),
        }),
      ),

    /** Every video that a viewer has watched, page by page. */
    listAllProgress: (
      viewerId: string,
      query: Filters<'listViewerProgress'> = {},
      options: CallOptions = {},
    ): AsyncGenerator<ViewerProgress, void, undefined> =>
      everyItem<ViewerProgress>((cursor) =>
        viewers.listProgress(viewerId, { limit: PAGE_LIMIT_MAX, ...query, ...cursor }, options),
      ),
  }
  return viewers
}
