import { z } from 'zod'
import type { RetentionSums, ValueSums } from '../../db/audience/read-breakdowns.ts'
import type { TopVideo } from '../../db/audience/read-top-videos.ts'
import { BREAKDOWN_KINDS, type BreakdownKind } from '../../domain/audience/breakdown.ts'
import { DEFINITIONS } from '../../domain/audience/definitions.ts'
import { PARTS } from '../../domain/audience/session-measures.ts'
import { monthStart } from '../../domain/timestamps.ts'
import { listSchema } from '../list.ts'
import { day } from '../values.ts'
import { posterUrl } from '../videos/video.ts'
import { shareOf } from './values.ts'

/** By what plays are broken down. */
export const breakdownKind = z.enum(BREAKDOWN_KINDS).meta({ id: 'BreakdownKind' })
/** By what the most watched videos are sorted. */
export const topOrder = z.enum(['plays', 'watch_seconds']).meta({ id: 'AudienceOrder' })

const plays = z.int().meta({ description: DEFINITIONS.plays })
const watchSeconds = z.number().meta({ description: DEFINITIONS.watch_seconds })

/** How a video was watched in a range. */
export const topVideoSchema = z
  .strictObject({
    object: z.literal('audience_video'),
    video_id: z.string(),
    title: z.string(),
    poster_url: z.url().nullable().meta({ description: 'Null while there is none.' }),
    plays,
    watch_seconds: watchSeconds,
    completions: z.int().meta({ description: DEFINITIONS.completions }),
    completion_rate: z.number().nullable().meta({ description: DEFINITIONS.completion_rate }),
  })
  .meta({ id: 'AudienceVideo' })

export const topVideoListSchema = listSchema(topVideoSchema).meta({ id: 'AudienceVideoList' })

/** How a video was watched in a range. */
export const topVideoView = (
  video: TopVideo,
  embedBase: string,
): z.output<typeof topVideoSchema> => ({
  object: 'audience_video',
  video_id: video.videoId,
  title: video.title,
  poster_url: posterUrl({ ...video, id: video.videoId }, embedBase),
  plays: video.plays,
  watch_seconds: video.watchedMs / 1000,
  completions: video.completions,
  completion_rate: shareOf(video.completions, video.measuredPlays),
})

/** The plays of one host, browser or the like. */
export const breakdownSchema = z
  .strictObject({
    object: z.literal('audience_value'),
    kind: breakdownKind,
    value: z.string().meta({
      description:
        '`unknown` if the session did not tell; `other` for what came after the first 50 values of a day. Of `startup`, the upper end of the step in milliseconds.',
    }),
    plays: plays.meta({
      description: `${DEFINITIONS.plays} Of the kind \`error\`, all sessions with this error.`,
    }),
    watch_seconds: watchSeconds,
  })
  .meta({ id: 'AudienceValue' })

export const breakdownListSchema = listSchema(breakdownSchema).meta({ id: 'AudienceValueList' })

/** The plays of one value. */
export const breakdownView =
  (kind: BreakdownKind) =>
  ({ value, plays: count, watchedMs }: ValueSums): z.output<typeof breakdownSchema> => ({
    object: 'audience_value',
    kind,
    value,
    plays: count,
    watch_seconds: watchedMs / 1000,
  })

const curve = (description: string) => z.array(z.number()).length(PARTS).meta({ description })

/** The retention curve of a video. */
export const retentionSchema = z
  .strictObject({
    object: z.literal('retention'),
    video_id: z.string(),
    from: day.meta({ description: 'The first day of the first month.' }),
    to: day,
    plays: z.int().meta({ description: 'Plays whose player has reported parts.' }),
    parts: curve(DEFINITIONS.retention),
    replays: curve('For each hundredth, the share of plays that have shown it at least twice.'),
  })
  .meta({ id: 'Retention' })

/** The retention curve of a video; all zeros if nothing was watched. */
export function retentionView(
  videoId: string,
  { from, to }: { from: string; to: string },
  sums: RetentionSums | null,
): z.output<typeof retentionSchema> {
  const shares = (counts: readonly number[] | undefined): number[] =>
    Array.from({ length: PARTS }, (_, at) => shareOf(counts?.[at] ?? 0, sums?.views ?? 0) ?? 0)
  return {
    object: 'retention',
    video_id: videoId,
    from: monthStart(from),
    to,
    plays: sums?.views ?? 0,
    parts: shares(sums?.parts),
    replays: shares(sums?.replays),
  }
}
