import { atPath, unwrap, type CreateOptions, type Http } from '../http.ts'
import type { Body, PlaybackToken } from '../types.ts'
import { signViewerToken } from '../viewer-token.ts'

/** Calls for viewer tokens, signed by the API or locally; each throws ReelgateError. */
export function playbackTokensOf(http: Http) {
  return {
    /** Signs in the API; resolves to the token with its links. Counts toward the key's limits. */
    create: (
      videoId: string,
      body: Body<'createPlaybackToken'>,
      options: CreateOptions = {},
    ): Promise<PlaybackToken> =>
      unwrap<'createPlaybackToken'>(
        http.POST('/v1/videos/{id}/playback-tokens', { ...atPath({ id: videoId }, options), body }),
      ),

    /** Signs without a request; see signViewerToken. */
    signLocally: signViewerToken,
  }
}
