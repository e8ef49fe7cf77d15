import { answerOf, initOf } from '../http.ts'
import type { CreateOptions, Http } from '../http.ts'
import type { Body, PlaybackToken } from '../types.ts'
import { signViewerToken } from '../viewer-token.ts'

/** Viewer tokens, from the API or signed here; each call throws ReelgateError. */
export function playbackTokensOf(http: Http) {
  return {
    /** Lets the API sign; answers with the links that carry the token. Counts toward the key's limits. */
    create: (
      videoId: string,
      body: Body<'createPlaybackToken'>,
      options: CreateOptions = {},
    ): Promise<PlaybackToken> =>
      answerOf<'createPlaybackToken'>(
        http.POST('/v1/videos/{id}/playback-tokens', {
          params: { path: { id: videoId } },
          body,
          ...initOf(options),
        }),
      ),

    /** Signs without a call: the same bytes; see signViewerToken. */
    signLocally: signViewerToken,
  }
}
