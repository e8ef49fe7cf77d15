import {
  atPath,
  deletedOf,
  unwrap,
  type CallOptions,
  type CreateOptions,
  type Http,
} from '../http.ts'
import type { Body, Caption, CaptionList, CaptionWithContent, DeletedCaption } from '../types.ts'

/** Calls for the captions of a video; each throws ReelgateError. */
export function captionsOf(http: Http) {
  return {
    /** Adds a WebVTT caption, or replaces the one in that language. */
    create: (
      videoId: string,
      body: Body<'createCaption'>,
      options: CreateOptions = {},
    ): Promise<Caption> =>
      unwrap<'createCaption'>(
        http.POST('/v1/videos/{id}/captions', { ...atPath({ id: videoId }, options), body }),
      ),

    list: (videoId: string, options: CallOptions = {}): Promise<CaptionList> =>
      unwrap<'listCaptions'>(
        http.GET('/v1/videos/{id}/captions', atPath({ id: videoId }, options)),
      ),

    /** Returns one caption with its WebVTT text. */
    get: (
      videoId: string,
      languageCode: string,
      options: CallOptions = {},
    ): Promise<CaptionWithContent> =>
      unwrap<'getCaption'>(
        http.GET(
          '/v1/videos/{id}/captions/{language_code}',
          atPath({ id: videoId, language_code: languageCode }, options),
        ),
      ),

    delete: (
      videoId: string,
      languageCode: string,
      options: CallOptions = {},
    ): Promise<DeletedCaption> =>
      deletedOf(
        unwrap<'deleteCaption'>(
          http.DELETE(
            '/v1/videos/{id}/captions/{language_code}',
            atPath({ id: videoId, language_code: languageCode }, options),
          ),
        ),
        { object: 'caption', language_code: languageCode, deleted: true },
      ),
  }
}
