import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { TIME_RANGES, type TimeRange } from '../../../domain/time-buckets.ts'
import { SECURITY_SEVERITIES, type SecuritySeverity } from '../../../domain/webhooks/events.ts'
import { apiOf, unwrap } from './client.ts'
import { cursorsIn, cursorsOf, textIn, type Cursors } from './cursors.ts'
import type { components } from './schema.ts'

export type FoundEvents = components['schemas']['FoundSecurityEvents']
export type FoundEvent = components['schemas']['FoundSecurityEvent']
export type PlaybackReport = components['schemas']['PlaybackReport']
export type PlayingSession = components['schemas']['PlayingSession']

/** What a video, viewer or site was part of. */
export interface PlaybackFilter {
  video?: string
  viewer?: string
  host?: string
}

/** What the list of security events shows, as in its address. */
export interface EventsFilter extends PlaybackFilter, Cursors {
  range?: TimeRange
  type?: string
  severity?: SecuritySeverity
}

/** What the list of playing sessions shows, and the session that is about to be ended. */
export interface PlayingFilter extends PlaybackFilter {
  end?: string
}

const EVENTS_PER_PAGE = 25
const EVENTS_PER_EXPORT_PAGE = 100
/** The most events of one file. */
export const EXPORTED_EVENTS_MAX = 2000
const EVENTS_REFRESH_MS = 60_000
const PLAYING_REFRESH_MS = 30_000
export const DEFAULT_RANGE: TimeRange = '7d'

const playbackFilter = ({ video, viewer, host }: Record<string, unknown>): PlaybackFilter => ({
  video: textIn(video),
  viewer: textIn(viewer),
  host: textIn(host),
})

/** The filter of an address; anything that it cannot mean is left out. */
export const eventsFilter = (search: Record<string, unknown>): EventsFilter => ({
  range: TIME_RANGES.find((one) => one === search.range),
  type: textIn(search.type),
  severity: SECURITY_SEVERITIES.find((one) => one === search.severity),
  ...playbackFilter(search),
  ...cursorsIn(search),
})

/** The filter of an address; anything that it cannot mean is left out. */
export const playingFilter = (search: Record<string, unknown>): PlayingFilter => ({
  ...playbackFilter(search),
  end: textIn(search.end),
})

/** The viewer whom the dialog to revoke names at first. */
export const viewerInSearch = ({ viewer }: Record<string, unknown>): { viewer?: string } => ({
  viewer: textIn(viewer),
})

const matchingOf = ({ range = DEFAULT_RANGE, ...filter }: EventsFilter, timeZone: string) => ({
  range,
  time_zone: timeZone,
  event_type: filter.type,
  severity: filter.severity,
  video_id: filter.video,
  viewer_id: filter.viewer,
  host: filter.host,
})

/** A page of security events with the counts of all; one response, so that list and chart agree. */
export const eventsQuery = (account: string, filter: EventsFilter, timeZone: string) =>
  queryOptions({
    queryKey: ['security-events', account, filter, timeZone],
    queryFn: ({ signal }) => {
      const page = { limit: EVENTS_PER_PAGE, ...cursorsOf(filter) }
      const query = { ...page, ...matchingOf(filter, timeZone) }
      return unwrap(apiOf(account).GET('/security-events', { params: { query }, signal }))
    },
    placeholderData: keepPreviousData,
    refetchInterval: EVENTS_REFRESH_MS,
  })

/** All events that match, newest first; at most `EXPORTED_EVENTS_MAX`. */
export async function readEvents(
  account: string,
  filter: EventsFilter,
  timeZone: string,
): Promise<FoundEvent[]> {
  const matching = { limit: EVENTS_PER_EXPORT_PAGE, ...matchingOf(filter, timeZone) }
  const events: FoundEvent[] = []
  let hasMore = true
  while (hasMore && events.length < EXPORTED_EVENTS_MAX) {
    const query = { ...matching, starting_after: events.at(-1)?.id }
    const page = await unwrap(apiOf(account).GET('/security-events', { params: { query } }))
    events.push(...page.data)
    hasMore = page.has_more
  }
  return events
}

/** The sessions that play now. */
export const playingQuery = (account: string, { video, viewer, host }: PlaybackFilter) =>
  queryOptions({
    queryKey: ['playing', account, { video, viewer, host }],
    queryFn: ({ signal }) => {
      const query = { video_id: video, viewer_id: viewer, host }
      return unwrap(apiOf(account).GET('/playing', { params: { query }, signal }))
    },
    placeholderData: keepPreviousData,
    refetchInterval: PLAYING_REFRESH_MS,
  })

/** The code of an address that says why a video did not play; the router reads one of digits as a number. */
export const codeInSearch = ({ code }: Record<string, unknown>): { code?: string } => ({
  code: textIn(code),
})

/** Why a video did not play, by the code that the viewer has read out. */
export const playbackReportQuery = (account: string, code: string) =>
  queryOptions({
    queryKey: ['playback-report', account, code],
    queryFn: ({ signal }) => {
      const params = { path: { code } }
      return unwrap(apiOf(account).GET('/v1/playback-reports/{code}', { params, signal }))
    },
  })

const VIEWERS_PER_PAGE = 25

/** Where a page of revoked viewers begins; the cursors are viewer ids. */
export interface ViewersPage {
  after?: string
  before?: string
}

export const viewersPage = ({ after, before }: Record<string, unknown>): ViewersPage => ({
  after: textIn(after),
  before: textIn(before),
})

/** A page of revoked viewers. */
export const viewersQuery = (account: string, { after, before }: ViewersPage) =>
  queryOptions({
    queryKey: ['viewers', account, { after, before }],
    queryFn: ({ signal }) => {
      const query = { limit: VIEWERS_PER_PAGE, starting_after: after, ending_before: before }
      return unwrap(apiOf(account).GET('/viewers', { params: { query }, signal }))
    },
    placeholderData: keepPreviousData,
  })
