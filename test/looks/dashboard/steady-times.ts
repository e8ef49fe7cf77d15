import type { BrowserContext } from 'playwright-core'
import { isoUtc } from '../../../domain/timestamps.ts'
import { SHOWN_TIME } from './accounts.ts'

const TIMESTAMP = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)/g
/** What the service writes while pictures are made. */
const DURING_MS = 2 * 3_600_000
/** An estimate of the server, which falls while pictures are made. */
const LEFT = /"seconds_left":\d+/g

/** Returns the JSON of the service as if it had been sent at `SHOWN_TIME`; `start` is what counts as that moment. */
function steadyJson(text: string, start: Date): string {
  const shift = (timestamp: string): string => {
    const behindMs = Date.parse(timestamp) - start.getTime()
    const isDuring = behindMs > 0 && behindMs < DURING_MS
    return isoUtc(new Date(SHOWN_TIME.getTime() + (isDuring ? 0 : behindMs)))
  }
  return text.replaceAll(TIMESTAMP, shift).replaceAll(LEFT, '"seconds_left":1260')
}

/** Lets pages and the responses that they get have the same time in every run. */
export async function holdTime(context: BrowserContext, start: Date): Promise<void> {
  await context.clock.setFixedTime(SHOWN_TIME)
  await context.route('**/api/accounts/**', async (route) => {
    const url = new URL(route.request().url())
    // The service counts the month from its own day.
    if (url.pathname.endsWith('/v1/usage') && !url.searchParams.has('start')) {
      const day = SHOWN_TIME.toISOString().slice(0, 10)
      url.searchParams.set('start', `${day.slice(0, 8)}01`)
      url.searchParams.set('end', day)
    }
    try {
      const response = await route.fetch({ url: url.href })
      const text = await response.text()
      // The times of the audience are days that the page asks for.
      const isOfDays = url.pathname.endsWith('/v1/audience')
      await route.fulfill({ response, body: isOfDays ? text : steadyJson(text, start) })
    } catch {
      // The page has gone.
    }
  })
}
