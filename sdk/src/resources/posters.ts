import { atPath, unwrap, type CallOptions, type CreateOptions, type Http } from '../http.ts'
import type { PosterUpload } from '../types.ts'

/** Calls for the poster of a video; each throws ReelgateError. */
export function postersOf(http: Http) {
  return {
    /** Sends a picture as the poster of a video that is ready: a JPEG, PNG or WebP. It is encoded again before it is shown. */
    upload: (
      videoId: string,
      picture: Blob,
      options: CreateOptions = {},
    ): Promise<PosterUpload> => {
      const { headers, ...init } = atPath({ id: videoId }, options)
      return unwrap<'uploadPoster'>(
        http.POST('/v1/videos/{id}/poster/upload', {
          ...init,
          headers: { ...headers, 'Content-Type': 'application/octet-stream' },
          // The client's types say text for binary bodies.
          body: picture as unknown as string,
          bodySerializer: () => picture,
        }),
      )
    },

    /** Returns how far the last picture is: `pending`, `failed` with its reason, or null if none waits. */
    getUpload: (videoId: string, options: CallOptions = {}): Promise<PosterUpload> =>
      unwrap<'getPosterUpload'>(
        http.GET('/v1/videos/{id}/poster/upload', atPath({ id: videoId }, options)),
      ),
  }
}
