import { z } from 'zod'
import type { FoundReport } from '../../db/playback/playback-reports.ts'
import {
  explainFailure,
  faultStatus,
  settingOf,
  settingPath,
  shortDuration,
} from '../../domain/playback-reports/explain-failure.ts'
import type { decodeFailureCode } from '../../domain/playback-reports/failure-code.ts'
import { FAILURE_TEXTS } from '../../domain/playback-reports/failure-texts.ts'
import { PLAYBACK_CAUSES } from '../../domain/playback-reports/playback-causes.ts'
import { isoUtc } from '../../domain/timestamps.ts'
import { openEnum, timestamp } from '../values.ts'

const MINUTE_MS = 60_000

const whole = z.int().min(0).meta({ format: 'int64' }).nullable()

/** Why a video did not play. */
export const playbackReportSchema = z
  .strictObject({
    object: z.literal('playback_report'),
    code: z.string().meta({ example: '1C3J-1EM1-EZRT' }),
    cause: openEnum(
      Object.keys(PLAYBACK_CAUSES),
      'What kept the video from playing. A later release may have more causes.',
    ),
    message: z.string().meta({
      description: 'What happened, for people.',
      example: 'lms.example.org is not in the list of allowed domains.',
    }),
    next_step: z.string().meta({
      description: 'What to do, for people.',
      example: 'Add lms.example.org to the allowed domains.',
    }),
    setting_path: z.string().nullable().meta({
      description:
        'The page of the dashboard for the next step, below that of the account; null if it is done elsewhere.',
      example: 'settings/domains',
    }),
    is_stored: z.boolean().meta({
      description:
        'False if the account has no report with the code: it says its cause and its minute by itself. Reports are kept for 30 days, and during a flood not all of them.',
    }),
    video_id: z.string().nullable(),
    video_title: z.string().nullable().meta({ description: 'Null if the video was deleted.' }),
    viewer_id: z.string().nullable().meta({
      description: 'From a valid viewer token; null without one.',
    }),
    host: z.string().nullable().meta({
      description: 'The site with the player; null if the browser did not name it.',
      example: 'lms.example.org',
    }),
    browser: z.string().nullable().meta({ example: 'Firefox' }),
    system: z.string().nullable().meta({ example: 'Windows' }),
    details: z
      .strictObject({
        expired_seconds: whole.meta({
          description: 'How long before the request the viewer token had expired.',
        }),
        is_token_malformed: z.boolean().nullable().meta({
          description: 'True if the viewer token was not even one in form.',
        }),
        error_code: whole.meta({ description: 'Of Shaka Player.', example: 6001 }),
        http_status: whole.meta({ description: 'Of the response that the player got.' }),
        position_seconds: whole.meta({ description: 'Where the video was.' }),
        is_online: z.boolean().nullable().meta({ description: 'As the browser knew.' }),
      })
      .meta({ id: 'PlaybackReportDetails', description: 'Null where nothing is known.' }),
    created_at: timestamp('When it happened; the start of the minute if no report came with it.'),
  })
  .meta({ id: 'PlaybackReport' })

type Decoded = NonNullable<ReturnType<typeof decodeFailureCode>>

/**
 * The report with a code, with its sentences in English. Without a stored report, what the code says by itself: also for
 * a report of another account.
 */
export function playbackReportView(
  { code, cause, atMs }: Decoded,
  report: FoundReport | null,
): z.output<typeof playbackReportSchema> {
  const { browser = null, system = null, host = null, viewerId = null } = report ?? {}
  const details = detailsOf(report?.details ?? {})
  const { message, next } = explainFailure(FAILURE_TEXTS[cause], {
    host,
    viewer: viewerId,
    device: browser === null ? null : [browser, system].filter(Boolean).join(' on '),
    ago: details.expired_seconds === null ? null : shortDuration(details.expired_seconds),
    status: faultStatus(details.http_status),
  })
  const setting = settingOf(cause)
  const videoId = report?.videoId ?? null
  // The page of a deleted video does not exist.
  const pageOf = report?.videoTitle == null ? null : videoId
  return {
    object: 'playback_report',
    code,
    cause,
    message,
    next_step: next,
    setting_path: setting && settingPath(setting, pageOf),
    is_stored: report !== null,
    video_id: videoId,
    video_title: report?.videoTitle ?? null,
    viewer_id: viewerId,
    host,
    browser,
    system,
    details,
    created_at: isoUtc(
      report && isInMinute(report.createdAt, atMs) ? report.createdAt : new Date(atMs),
    ),
  }
}

/** A player without a connection reports later. */
const isInMinute = (time: Date, atMs: number): boolean =>
  Math.floor(time.getTime() / MINUTE_MS) * MINUTE_MS === atMs

type Details = z.output<typeof playbackReportSchema>['details']

function detailsOf(details: FoundReport['details']): Details {
  const number = (name: string): number | null =>
    typeof details[name] === 'number' ? details[name] : null
  const truth = (name: string): boolean | null =>
    typeof details[name] === 'boolean' ? details[name] : null
  return {
    expired_seconds: number('expired_seconds'),
    is_token_malformed: truth('is_token_malformed'),
    error_code: number('error_code'),
    http_status: number('http_status'),
    position_seconds: number('position_seconds'),
    is_online: truth('is_online'),
  }
}
