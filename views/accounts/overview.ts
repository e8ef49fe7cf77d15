import { z } from 'zod'
import type { EncodingVideo, VideoFacts, WatchedVideo } from '../../db/accounts/activity.ts'
import type { FailingEndpoint } from '../../db/accounts/failing-endpoints.ts'
import type { FailedVideo, FirstSteps } from '../../db/accounts/overview.ts'
import { PLAN_LIMITS, type NamedUse, type PlanLimit, type Use } from '../../domain/accounts/plan.ts'
import type { Totals } from '../../domain/audience/totals.ts'
import { isoUtc } from '../../domain/timestamps.ts'
import { isoUtcOrNull, rowId, timestamp } from '../values.ts'
import { posterUrl, TITLE_EXAMPLE, videoId, videoStatus } from '../videos/video.ts'

const count = z.int().min(0)
const title = z.string().meta({ example: TITLE_EXAMPLE })

/** What the first view of an account shows. */
export const overviewSchema = z
  .strictObject({
    object: z.literal('overview'),
    steps: z
      .strictObject({
        video_added: z.boolean().meta({ description: 'A video that did not fail.' }),
        video_ready: z.boolean(),
        played_elsewhere: z
          .boolean()
          .meta({ description: 'Played on a page that is not the dashboard.' }),
        access_restricted: z
          .boolean()
          .meta({ description: 'Viewer tokens are required, or embedding pages are limited.' }),
        webhook_delivered: z.boolean(),
        colleague_invited: z.boolean(),
      })
      .meta({ description: 'Which of the first steps are done, as the data of the account says.' }),
    failed_videos: z.strictObject({
      days: count.meta({ description: 'Videos that were added in these days are counted.' }),
      count,
      data: z
        .array(
          z.strictObject({
            id: videoId,
            title,
            error_code: z.string().nullable(),
            failed_at: timestamp('When it failed.'),
          }),
        )
        .meta({ description: 'The newest of them.' }),
    }),
    failing_endpoints: z.array(
      z.strictObject({
        id: rowId,
        url: z.string(),
        failure_count: count.meta({ description: 'Consecutive failed attempts.' }),
        disabled_reason: z.enum(['owner', 'failures', 'gone']).nullable(),
        last_error: z
          .strictObject({
            error_code: z.string().meta({ example: 'http_error' }),
            response_status: z.int().nullable().meta({ description: 'Null without a response.' }),
            failed_at: timestamp('When the attempt began.'),
          })
          .nullable()
          .meta({ description: 'Of its newest deliveries; null if no failed attempt is kept.' }),
      }),
    ),
    videos: z.strictObject({
      count: count.meta({ description: 'At most 10,000 are counted.' }),
      newest_ready_id: videoId
        .nullable()
        .meta({ description: 'Null if none of the newest 200 is ready.' }),
    }),
    encoding: z
      .strictObject({
        count: count.meta({ description: 'At most 200 are counted.' }),
        data: z.array(z.strictObject({ id: videoId, title, status: videoStatus })),
      })
      .meta({
        description:
          'Videos that are not ready and did not fail: those that run before those that wait, newest first.',
      }),
    watched: z
      .strictObject({
        hours: count,
        play_count: count.meta({ description: 'Plays that began in these hours.' }),
        data: z
          .array(
            z.strictObject({
              id: videoId,
              title,
              poster_url: z.url().nullable(),
              played_at: timestamp('When its last play began.'),
              host: z.string().nullable().meta({ description: 'Of the site of the last play.' }),
            }),
          )
          .meta({ description: 'The videos that were played last, newest first.' }),
      })
      .meta({
        description:
          'Plays of viewers, among the newest 1,000 of the account. Those of members in the dashboard do not count.',
      }),
    audience: z
      .strictObject({
        days: count.meta({ description: 'In UTC, with the current one.' }),
        plays: count,
        watch_seconds: z.number(),
        previous_plays: count,
        previous_watch_seconds: z.number(),
      })
      .meta({ description: 'Of these days and of as many before them, as in `/v1/audience`.' }),
    playing_count: count.meta({ description: 'Playback sessions that play now.' }),
    security_events: z.strictObject({ hours: count, count }),
    plan: z
      .strictObject({
        is_active: z.boolean(),
        ends_at: timestamp('When the plan ends.').nullable(),
        nearly_used: z.array(
          z.strictObject({
            limit: z.enum(PLAN_LIMITS),
            share: z.number().meta({ description: 'Used share of the limit; 1 is all of it.' }),
          }),
        ),
        uses: z
          .array(z.strictObject({ limit: z.enum(PLAN_LIMITS), used: z.number(), most: z.number() }))
          .meta({
            description:
              'What is used of each limit, in bytes; of encoding, in minutes. What the plan does not limit is left out.',
          }),
      })
      .nullable()
      .meta({
        description: 'With the limits of which at least 90 % is used; null without a plan.',
      }),
  })
  .meta({ id: 'Overview' })

type Played = Pick<Totals, 'plays' | 'watchedMs'>

export interface OverviewFacts {
  steps: FirstSteps
  failed: { days: number; count: number; videos: FailedVideo[] }
  endpoints: FailingEndpoint[]
  videos: VideoFacts
  encoding: { count: number; videos: EncodingVideo[] }
  watched: { hours: number; playCount: number; videos: WatchedVideo[] }
  audience: { days: number; totals: Played; before: Played }
  playingCount: number
  securityEvents: { hours: number; count: number }
  plan: {
    isActive: boolean
    endsAt: Date | null
    nearlyUsed: NamedUse[]
    uses: Record<PlanLimit, Use>
  } | null
}

type OverviewView = z.output<typeof overviewSchema>

/** What the first view of an account shows. `embedBase` has no slash at its end. */
export const overviewView = (facts: OverviewFacts, embedBase: string): OverviewView => ({
  object: 'overview',
  steps: {
    video_added: facts.steps.videoAdded,
    video_ready: facts.steps.videoReady,
    played_elsewhere: facts.steps.playedElsewhere,
    access_restricted: facts.steps.accessRestricted,
    webhook_delivered: facts.steps.webhookDelivered,
    colleague_invited: facts.steps.colleagueInvited,
  },
  failed_videos: {
    days: facts.failed.days,
    count: facts.failed.count,
    data: facts.failed.videos.map((video) => ({
      id: video.id,
      title: video.title,
      error_code: video.errorCode,
      failed_at: isoUtc(video.updatedAt),
    })),
  },
  failing_endpoints: facts.endpoints.map(endpointView),
  videos: { count: facts.videos.count, newest_ready_id: facts.videos.newestReadyId },
  encoding: { count: facts.encoding.count, data: facts.encoding.videos },
  watched: {
    hours: facts.watched.hours,
    play_count: facts.watched.playCount,
    data: facts.watched.videos.map((video) => ({
      id: video.id,
      title: video.title,
      poster_url: posterUrl(video, embedBase),
      played_at: isoUtc(video.playedAt),
      host: video.host,
    })),
  },
  audience: {
    days: facts.audience.days,
    plays: facts.audience.totals.plays,
    watch_seconds: facts.audience.totals.watchedMs / 1000,
    previous_plays: facts.audience.before.plays,
    previous_watch_seconds: facts.audience.before.watchedMs / 1000,
  },
  playing_count: facts.playingCount,
  security_events: facts.securityEvents,
  plan: facts.plan && planView(facts.plan),
})

const endpointView = (endpoint: FailingEndpoint): OverviewView['failing_endpoints'][number] => ({
  id: endpoint.id,
  url: endpoint.url,
  failure_count: endpoint.failureCount,
  disabled_reason: endpoint.disabledReason,
  last_error: endpoint.lastError && {
    error_code: endpoint.lastError.errorCode,
    response_status: endpoint.lastError.responseStatus,
    failed_at: isoUtc(endpoint.lastError.failedAt),
  },
})

const planView = (plan: NonNullable<OverviewFacts['plan']>): OverviewView['plan'] => ({
  is_active: plan.isActive,
  ends_at: isoUtcOrNull(plan.endsAt),
  nearly_used: plan.nearlyUsed.map(({ name, share }) => ({ limit: name, share })),
  uses: PLAN_LIMITS.flatMap((name) => {
    const { used, limit: most } = plan.uses[name]
    return most === null ? [] : [{ limit: name, used, most }]
  }),
})
