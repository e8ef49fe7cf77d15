import type { Page, Request } from 'playwright-core'

/** The body of a heartbeat, as far as tests read it. */
export interface Report {
  position_seconds?: number
  watched_seconds?: number
  media_seconds?: number
  parts?: string
  replayed_parts?: string
  stretches?: [from: number, to: number, at: number][]
  first_frame_seconds?: number
  stalls?: number
  stalled_seconds?: number
  quality?: number
  speed?: number
  error?: string
  is_leaving?: boolean
  is_waiting?: boolean
}

/** Starts to collect the heartbeats of a page. */
export function collectReports(page: Page): Report[] {
  const reports: Report[] = []
  page.on('request', (request) => {
    if (isHeartbeat(request)) reports.push(reportIn(request))
  })
  return reports
}

/**
 * Resolves to what the page reports when it closes. It stays open, because Playwright does not see the requests of pages
 * that close.
 */
export async function lastReport(page: Page): Promise<Report> {
  const sent = page.waitForRequest(
    (request) => isHeartbeat(request) && reportIn(request).is_leaving === true,
  )
  await page.evaluate(`void dispatchEvent(new Event('pagehide'))`)
  return reportIn(await sent)
}

export const isHeartbeat = (request: Request): boolean =>
  request.url().endsWith('/sessions/heartbeat')

export const reportIn = (request: Request): Report => JSON.parse(request.postData() ?? '{}')

/** The bits of `parts`: whether each hundredth was shown. */
const bitsOf = (parts = '0'.repeat(25)): boolean[] =>
  Array.from(parts).flatMap((digit) =>
    Array.from(parseInt(digit, 16).toString(2).padStart(4, '0'), (bit) => bit === '1'),
  )

type Interval = readonly [from: number, to: number]

/**
 * Returns the hundredths whose bits are not what was shown of a video in these intervals, in seconds. One of which nearly half
 * was shown may have either.
 */
export function wrongParts(
  parts: string | undefined,
  shown: readonly Interval[],
  duration: number,
): number[] {
  const length = duration / 100
  return bitsOf(parts).flatMap((bit, index) => {
    const seconds = shown.reduce((sum, [from, to]) => {
      const [start, end] = [index * length, (index + 1) * length]
      return sum + Math.max(0, Math.min(end, to) - Math.max(start, from))
    }, 0)
    const share = seconds / length
    return Math.abs(share - 0.5) < 0.25 || bit === share > 0.5 ? [] : [index]
  })
}
