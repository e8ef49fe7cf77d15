import {
  atPath,
  deletedOf,
  unwrap,
  type CallOptions,
  type CreateOptions,
  type Http,
} from '../http.ts'
import type { Body, DeletedMoment, Moment, MomentList } from '../types.ts'

/** Calls for the moments of a video; each throws ReelgateError. */
export function momentsOf(http: Http) {
  return {
    /** Adds a moment; a second one with the same timestamp is refused with moment_exists. */
    create: (
      videoId: string,
      body: Body<'createMoment'>,
      options: CreateOptions = {},
    ): Promise<Moment> =>
      unwrap<'createMoment'>(
        http.POST('/v1/videos/{id}/moments', { ...atPath({ id: videoId }, options), body }),
      ),

    list: (videoId: string, options: CallOptions = {}): Promise<MomentList> =>
      unwrap<'listMoments'>(http.GET('/v1/videos/{id}/moments', atPath({ id: videoId }, options))),

    delete: (
      videoId: string,
      momentId: number,
      options: CallOptions = {},
    ): Promise<DeletedMoment> =>
      deletedOf(
        unwrap<'deleteMoment'>(
          http.DELETE(
            '/v1/videos/{id}/moments/{moment_id}',
            atPath({ id: videoId, moment_id: momentId }, options),
          ),
        ),
        { id: momentId, object: 'moment', deleted: true },
      ),
  }
}
