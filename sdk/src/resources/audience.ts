import { toInit, unwrap, type CallOptions, type Http } from '../http.ts'
import type { Audience, AudienceValueList, AudienceVideoList, Query } from '../types.ts'

/** Calls for what was watched; each throws ReelgateError. */
export const audienceOf = (http: Http) => ({
  /** Totals and a series, of the account or of one video. */
  get: (query: Query<'getAudience'> = {}, options: CallOptions = {}): Promise<Audience> =>
    unwrap<'getAudience'>(http.GET('/v1/audience', { params: { query }, ...toInit(options) })),

  /** The most watched videos. */
  listVideos: (
    query: Query<'listAudienceVideos'> = {},
    options: CallOptions = {},
  ): Promise<AudienceVideoList> =>
    unwrap<'listAudienceVideos'>(
      http.GET('/v1/audience/videos', { params: { query }, ...toInit(options) }),
    ),

  /** Plays by host, browser, system, quality, speed, error or time to the first frame. */
  getBreakdown: (
    query: Query<'getAudienceBreakdown'>,
    options: CallOptions = {},
  ): Promise<AudienceValueList> =>
    unwrap<'getAudienceBreakdown'>(
      http.GET('/v1/audience/breakdown', { params: { query }, ...toInit(options) }),
    ),
})
