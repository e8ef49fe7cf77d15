import { z } from 'zod'
import type { FailedVideo, FailingEndpoint, FirstSteps } from '../../db/accounts/overview.ts'
import { PLAN_LIMITS, type NamedUse } from '../../domain/accounts/plan.ts'
import { isoUtc } from '../../domain/timestamps.ts'
import { isoUtcOrNull, rowId, timestamp } from '../values.ts'
import { TITLE_EXAMPLE, videoId } from '../videos/video.ts'

const count = z.int().min(0)

/** What the first view of an account shows. */
export const overviewSchema = z
  .strictObject({
    object: z.literal('overview'),
    steps: z
      .strictObject({
        video_added: z.boolean(),
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
            title: z.string().meta({ example: TITLE_EXAMPLE }),
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
      }),
    ),
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
      })
      .nullable()
      .meta({
        description: 'With the limits of which at least 90 % is used; null without a plan.',
      }),
  })
  .meta({ id: 'Overview' })

export interface OverviewFacts {
  steps: FirstSteps
  failed: { days: number; count: number; videos: FailedVideo[] }
  endpoints: FailingEndpoint[]
  playingCount: number
  securityEvents: { hours: number; count: number }
  plan: { isActive: boolean; endsAt: Date | null; nearlyUsed: NamedUse[] } | null
}

/** What the first view of an account shows. */
export const overviewView = (facts: OverviewFacts): z.output<typeof overviewSchema> => ({
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
  failing_endpoints: facts.endpoints.map((endpoint) => ({
    id: endpoint.id,
    url: endpoint.url,
    failure_count: endpoint.failureCount,
    disabled_reason: endpoint.disabledReason,
  })),
  playing_count: facts.playingCount,
  security_events: facts.securityEvents,
  plan: facts.plan && {
    is_active: facts.plan.isActive,
    ends_at: isoUtcOrNull(facts.plan.endsAt),
    nearly_used: facts.plan.nearlyUsed.map(({ name, share }) => ({ limit: name, share })),
  },
})
