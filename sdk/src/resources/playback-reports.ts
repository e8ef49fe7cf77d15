import { toInit, unwrap, type CallOptions, type Http } from '../http.ts'
import type { PlaybackReport } from '../types.ts'

/** GET /v1/playback-reports. */
export const playbackReportsOf = (http: Http) => ({
  /** Returns why a video did not play, by the code that the viewer reads out. */
  get: (code: string, options: CallOptions = {}): Promise<PlaybackReport> =>
    unwrap<'getPlaybackReport'>(
      http.GET('/v1/playback-reports/{code}', { params: { path: { code } }, ...toInit(options) }),
    ),
})
