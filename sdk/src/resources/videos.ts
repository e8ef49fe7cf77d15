import {
  atPath,
  deletedOf,
  toInit,
  unwrap,
  type CallOptions,
  type ChangeOptions,
  type CreateOptions,
  type Http,
} from '../http.ts'
import { everyItem, PAGE_LIMIT_MAX } from '../pagination.ts'
import type {
  Body,
  DeletedVideo,
  Filters,
  Query,
  Retention,
  Video,
  VideoEmbed,
  VideoList,
  VideoStatus,
} from '../types.ts'
import { waitUntilReady, type WaitOptions } from '../wait-until-ready.ts'

/** Calls for videos; each throws ReelgateError. */
export function videosOf(http: Http) {
  const videos = {
    /** Creates a video from a public https link; its status is `queued`. */
    create: (body: Body<'createVideo'>, options: CreateOptions = {}): Promise<Video> =>
      unwrap<'createVideo'>(http.POST('/v1/videos', { body, ...toInit(options) })),

    /** One page of the videos that match; newest first, unless `sort` says otherwise. */
    list: (query: Query<'listVideos'> = {}, options: CallOptions = {}): Promise<VideoList> =>
      unwrap<'listVideos'>(http.GET('/v1/videos', { params: { query }, ...toInit(options) })),

    /**
     * Every video that matches, page by page: each one that nothing changes meanwhile once. Newest first, unless `sort` says otherwise.
     */
    listAll: (
      query: Filters<'listVideos'> = {},
      options: CallOptions = {},
    ): AsyncGenerator<Video, void, undefined> =>
      everyItem<Video>((cursor) =>
        videos.list({ limit: PAGE_LIMIT_MAX, ...query, ...cursor }, options),
      ),

    get: (id: string, options: CallOptions = {}): Promise<Video> =>
      unwrap<'getVideo'>(http.GET('/v1/videos/{id}', atPath({ id }, options))),

    /** Returns only the status, the duration and the size, for polling. */
    getStatus: (id: string, options: CallOptions = {}): Promise<VideoStatus> =>
      unwrap<'getVideoStatus'>(http.GET('/v1/videos/{id}/status', atPath({ id }, options))),

    /** Returns the embed URL with an iframe snippet. */
    getEmbed: (id: string, options: CallOptions = {}): Promise<VideoEmbed> =>
      unwrap<'getVideoEmbed'>(http.GET('/v1/videos/{id}/embed', atPath({ id }, options))),

    /** Returns which share of plays has shown each hundredth of the video. */
    getRetention: (
      id: string,
      query: Query<'getRetention'> = {},
      options: CallOptions = {},
    ): Promise<Retention> =>
      unwrap<'getRetention'>(
        http.GET('/v1/videos/{id}/retention', {
          params: { path: { id }, query },
          ...toInit(options),
        }),
      ),

    /** Changes the given fields. */
    update: (id: string, body: Body<'updateVideo'>, options: ChangeOptions = {}): Promise<Video> =>
      unwrap<'updateVideo'>(http.PATCH('/v1/videos/{id}', { ...atPath({ id }, options), body })),

    /** Deletes a video; a second call is refused with video_not_found. */
    delete: (id: string, options: ChangeOptions = {}): Promise<DeletedVideo> =>
      deletedOf(unwrap<'deleteVideo'>(http.DELETE('/v1/videos/{id}', atPath({ id }, options))), {
        id,
        object: 'video',
        deleted: true,
      }),

    /** Polls until the video is `ready`, and resolves to it; see waitUntilReady. */
    waitUntilReady: (id: string, options: WaitOptions = {}): Promise<Video> =>
      waitUntilReady(videos, id, options),
  }
  return videos
}
