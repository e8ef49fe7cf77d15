import { toInit, unwrap, type CallOptions, type CreateOptions, type Http } from '../http.ts'
import { everyItem, PAGE_LIMIT_MAX } from '../pagination.ts'
import type {
  Body,
  Filters,
  Query,
  Viewer,
  ViewerErasure,
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

    /** Requests that all that is kept of a viewer is erased, but not a revocation. */
    erase: (body: Body<'eraseViewer'>, options: CreateOptions = {}): Promise<ViewerErasure> =>
      unwrap<'eraseViewer'>(http.POST('/v1/viewers/erase', { body, ...toInit(options) })),
  }
  return viewers
}

/** Calls for how far viewers are in videos; each throws ReelgateError. */
export function viewerProgressOf(http: Http) {
  const progress = {
    /** One page, of a viewer or of a video. */
    list: (
      query: Query<'listViewerProgress'> = {},
      options: CallOptions = {},
    ): Promise<ViewerProgressList> =>
      unwrap<'listViewerProgress'>(
        http.GET('/v1/viewer-progress', { params: { query }, ...toInit(options) }),
      ),

    /** All of it, page by page. */
    listAll: (
      query: Filters<'listViewerProgress'> = {},
      options: CallOptions = {},
    ): AsyncGenerator<ViewerProgress, void, undefined> =>
      everyItem<ViewerProgress>((cursor) =>
        progress.list({ limit: PAGE_LIMIT_MAX, ...query, ...cursor }, options),
      ),
  }
  return progress
}
