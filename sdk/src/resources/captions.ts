import { answerOf, deletedOf, initOf } from '../http.ts'
import type { CallOptions, CreateOptions, Http } from '../http.ts'
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
      answerOf<'createCaption'>(
        http.POST('/v1/videos/{id}/captions', {
          params: { path: { id: videoId } },
          body,
          ...initOf(options),
        }),
      ),

    list: (videoId: string, options: CallOptions = {}): Promise<CaptionList> =>
      answerOf<'listCaptions'>(
        http.GET('/v1/videos/{id}/captions', {
          params: { path: { id: videoId } },
          ...initOf(options),
        }),
      ),

    /** Returns one caption with its WebVTT text. */
    get: (
      videoId: string,
      languageCode: string,
      options: CallOptions = {},
    ): Promise<CaptionWithContent> =>
      answerOf<'getCaption'>(
        http.GET('/v1/videos/{id}/captions/{language_code}', {
          params: { path: { id: videoId, language_code: languageCode } },
          ...initOf(options),
        }),
      ),

    delete: (
      videoId: string,
      languageCode: string,
      options: CallOptions = {},
    ): Promise<DeletedCaption> =>
      deletedOf(
        answerOf<'deleteCaption'>(
          http.DELETE('/v1/videos/{id}/captions/{language_code}', {
            params: { path: { id: videoId, language_code: languageCode } },
            ...initOf(options),
          }),
        ),
        { object: 'caption', language_code: languageCode, deleted: true },
      ),
  }
}
