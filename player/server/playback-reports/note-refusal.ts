import type { Response } from 'express'
import type { ReportDetails } from '../../../db/entities/playback-report.ts'
import { deviceWords } from '../../../domain/playback-reports/device-words.ts'
import {
  encodeFailureCode,
  FAILURE_CODE_RANDOM_MAX,
} from '../../../domain/playback-reports/failure-code.ts'
import type { PlaybackCause } from '../../../domain/playback-reports/playback-causes.ts'
import type { ServerContext } from '../deps.ts'

/** What is known of a request that may be refused, for the report of its refusal. */
export interface RefusalFacts {
  accountId: number
  videoId: string
  /** Verified; null without a valid viewer token. */
  viewerId: string | null
  host: string | null
  details: ReportDetails
}

/** Makes the code of a failure that happens now. */
export const newFailureCode = (cause: PlaybackCause): string =>
  encodeFailureCode(
    { cause, atMs: Date.now() },
    // No secret: it tells apart what fails in the same minute.
    Math.floor(Math.random() * FAILURE_CODE_RANDOM_MAX),
  )

/**
 * Makes the code that a refused viewer sees, and keeps a report with it if the account is known and there is room. The
 * response does not wait for that.
 */
export function noteRefusal(
  { reports, limits }: Pick<ServerContext, 'reports' | 'limits'>,
  { req: request, locals }: Response<unknown, { refusal?: RefusalFacts }>,
  cause: PlaybackCause,
): string {
  const code = newFailureCode(cause)
  const { refusal } = locals
  if (refusal && request.method !== 'HEAD') {
    const device = deviceWords(request.get('User-Agent') ?? '')
    const networks = refusal.viewerId === null ? limits.networksOf(request) : null
    reports.note({ code, cause, ...refusal, ...device }, networks)
  }
  return code
}
