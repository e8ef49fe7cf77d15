import { counter } from './registry.ts'

export const playbackSessions = counter(
  'reelgate_playback_sessions_total',
  'Playback sessions that embed pages and the mobile app were given.',
)

export const licences = counter(
  'reelgate_licences_total',
  'Responses to requests for ClearKey keys and DRM licences. `outcome` is `served`, or the code of the refusal.',
  ['system', 'outcome'],
  [{ system: 'clearkey', outcome: 'served' }],
)

export const segmentRequests = counter(
  'reelgate_segment_requests_total',
  'Requests for segments that were found.',
)

export const segmentCacheHits = counter(
  'reelgate_segment_cache_hits_total',
  'Requests for segments that were served from memory.',
)

export const segmentBytes = counter(
  'reelgate_segment_bytes_total',
  'Bytes of segments that this player has sent, without those of redirected requests.',
)

export const segmentFailures = counter(
  'reelgate_segment_failures_total',
  'Requests for segments that got an error.',
  ['status'],
)

const LIMITS = [
  'refusals',
  'sessions',
  'session_writes',
  'waiting_events',
  'session_licences',
  'network_licences',
  'account_licences',
] as const

/** What a request that got 429 had too much of. */
export type LimitName = (typeof LIMITS)[number]

export const limitedRequests = counter(
  'reelgate_limited_requests_total',
  'Requests that got 429. `limit` is `refusals` or `sessions` of a network, `session_writes` of one session, `waiting_events` that were not written yet, or licence requests: `session_licences`, `network_licences`, `account_licences`. Those of `refusals` are not all in the other metrics of requests, and not all logged.',
  ['limit'],
  LIMITS.map((limit) => ({ limit })),
)

export const securityEvents = counter(
  'reelgate_security_events_total',
  'Security events of players. `how` is `recorded` for an event of its own, and `counted` for one that was added to the count of another.',
  ['how'],
  [{ how: 'recorded' }, { how: 'counted' }],
)

export const playbackFailures = counter(
  'reelgate_playback_failures_total',
  'Failures that viewers were shown with a code, by its `cause`: pages and errors of the mobile app that refuse, and problems that players report, also those that are solved later.',
  ['cause'],
)
