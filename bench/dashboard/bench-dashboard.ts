import { reserveServerCore } from '../cores.ts'
import { atMost, type Figure } from '../figure.ts'
import { measureLatencies, percentile } from '../load.ts'
import { measureFirstRows } from './first-rows.ts'
import { openDashboardBenchFixture, VIDEO_COUNT, type DashboardBenchFixture } from './fixture.ts'
import { measureTimeToInteractive } from './time-to-interactive.ts'

/** What a few members cause who type into the search field. */
const STEADY = { perSecond: 10, seconds: 15 }
const WARM_UP = { perSecond: 10, seconds: 3 }
const P95_BUDGET_MS = 50

/** What is read, as paths below the address of the account. */
const READS: Record<string, string> = {
  'the overview': 'overview',
  'the first page': 'videos?limit=50',
  'failed videos': 'videos?limit=50&status=failed',
  'a frequent word': 'videos?limit=50&q=lesson',
  'a rare word': 'videos?limit=50&q=77777',
  'two letters': 'videos?limit=50&q=zz',
  'a word without videos': 'videos?limit=50&q=nothing+of+this+kind',
}

/** Measures the overview, the list and the search of videos in a large account, and the first views in a browser. */
export async function benchDashboard(): Promise<Figure[]> {
  const cores = reserveServerCore()
  const fixture = await openDashboardBenchFixture(cores.launcher, Object.keys(READS).length)
  try {
    const figures: Figure[] = []
    for (const [index, [name, read]] of Object.entries(READS).entries())
      figures.push(await latencyOf(fixture, name, { read, headers: fixture.headers[index] ?? {} }))
    figures.push(await measureTimeToInteractive(fixture))
    figures.push(...(await measureFirstRows(fixture)))
    return figures
  } finally {
    await fixture.close()
    cores.release()
  }
}

async function latencyOf(
  { dashboard, accountId }: DashboardBenchFixture,
  name: string,
  { read, headers }: { read: string; headers: Record<string, string> },
): Promise<Figure> {
  const path = `/api/accounts/${accountId}/${read}`
  const load = { origin: dashboard.baseUrl, path, method: 'GET', headers, status: 200 } as const
  await measureLatencies(load, WARM_UP)
  const p95 = percentile(await measureLatencies(load, STEADY), 0.95)
  const figure = `${name} of ${VIDEO_COUNT} videos, p95 at ${STEADY.perSecond}/s`
  return atMost(figure, p95, 'ms', { most: P95_BUDGET_MS })
}
