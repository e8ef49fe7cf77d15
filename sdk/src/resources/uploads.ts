import { atPath, toInit, unwrap, type CallOptions, type CreateOptions, type Http } from '../http.ts'
import { everyItem, PAGE_LIMIT_MAX } from '../pagination.ts'
import type { Body, Filters, Query, Upload, UploadList } from '../types.ts'

/** Calls for uploads; each throws ReelgateError. */
export function uploadsOf(http: Http) {
  const uploads = {
    /** Returns an address to which a browser or a script sends one file. */
    create: (body: Body<'createUpload'>, options: CreateOptions = {}): Promise<Upload> =>
      unwrap<'createUpload'>(http.POST('/v1/uploads', { body, ...toInit(options) })),

    /** One page, newest first. */
    list: (query: Query<'listUploads'> = {}, options: CallOptions = {}): Promise<UploadList> =>
      unwrap<'listUploads'>(http.GET('/v1/uploads', { params: { query }, ...toInit(options) })),

    /** Every upload of the last 30 days, newest first, page by page. */
    listAll: (
      query: Filters<'listUploads'> = {},
      options: CallOptions = {},
    ): AsyncGenerator<Upload, void, undefined> =>
      everyItem<Upload>((cursor) =>
        uploads.list({ limit: PAGE_LIMIT_MAX, ...query, ...cursor }, options),
      ),

    get: (id: number, options: CallOptions = {}): Promise<Upload> =>
      unwrap<'getUpload'>(http.GET('/v1/uploads/{id}', atPath({ id }, options))),

    /** Cancels an upload that takes bytes; others are refused with upload_ended. */
    cancel: (id: number, options: CallOptions = {}): Promise<Upload> =>
      unwrap<'cancelUpload'>(http.DELETE('/v1/uploads/{id}', atPath({ id }, options))),
  }
  return uploads
}
