import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findPlaybackReport } from '../../db/playback/playback-reports.ts'
import { LANGUAGES } from '../../domain/language.ts'
import { decodeFailureCode } from '../../domain/playback-reports/failure-code.ts'
import { playbackReportView } from '../../views/playback/playback-report.ts'
import { someOf } from '../infrastructure/every-case.ts'
import { waitFor } from '../infrastructure/wait-for.ts'
import {
  openEmbeddedPlayerFixture,
  PREPARED_WITHIN_MS,
  type EmbeddedPlayerFixture,
} from './embedded-player.ts'
import { useScript } from './idle-pages.ts'
import { openBlank, untilMessage, visitEmbed } from './viewer.ts'

let fixture: EmbeddedPlayerFixture
let videoId: string

beforeAll(async () => {
  fixture = await openEmbeddedPlayerFixture()
  videoId = fixture.wideId
}, PREPARED_WITHIN_MS)
afterAll(() => fixture?.close())

const shownCode = (page: Page) =>
  waitFor(
    'the code',
    async () => (await page.locator('#message .code bdi[dir]').textContent()) || null,
  )

async function lookUp(code: string) {
  const said = decodeFailureCode(code)
  if (!said) throw new Error(`${code} is no code`)
  const report = await waitFor('the report', () =>
    findPlaybackReport(fixture.db.em.fork(), code, fixture.accountId),
  )
  return playbackReportView(said, report)
}

// That each cause has the right code is in `causes/`.
describe('the code of a problem of the player', () => {
  it('stays while the problem lasts, and is reported once the connection is back', async () => {
    const page = await openBlank(fixture)
    await page.route('**/{sessions/failures,media/**}', (route) => route.abort())
    await visitEmbed(fixture, page, videoId, { query: 'autoplay=1&muted=1' })
    await untilMessage(page, 'network')
    const code = await shownCode(page)
    // It is shown again with each try.
    await page.waitForRequest('**/manifest.mpd')
    expect(await shownCode(page)).toBe(code)
    await page.unroute('**/{sessions/failures,media/**}')
    expect(await lookUp(code)).toMatchObject({
      cause: 'network',
      details: { is_online: true, position_seconds: 0 },
    })
    await page.context().close()
  }, 90_000)

  it('is of the minute of the server, whatever the clock of the device says', async () => {
    const page = await openBlank(fixture)
    await useScript(page, () => {
      const days = 40 * 86_400_000
      const real = Date.now.bind(Date)
      Date.now = () => real() + days
      const origin = performance.timeOrigin + days
      Object.defineProperty(performance, 'timeOrigin', { get: () => origin })
    })
    await page.route('**/manifest.mpd', (route) => route.fulfill({ body: '<MPD' }))
    await visitEmbed(fixture, page, videoId, { query: 'autoplay=1&muted=1' })
    const code = await shownCode(page)
    expect(Math.abs((decodeFailureCode(code)?.atMs ?? 0) - Date.now())).toBeLessThan(180_000)
    expect((await lookUp(code)).details.error_code).toBe(4036)
    await page.context().close()
  }, 90_000)

  it('is copied with the details, and reads from left to right in each language', async () => {
    for (const locale of someOf([...LANGUAGES], 2)) {
      const permissions = ['clipboard-read', 'clipboard-write']
      const page = await openBlank(fixture, { locale, permissions })
      await page.route('**/manifest.mpd', (route) => route.fulfill({ body: '<MPD' }))
      await visitEmbed(fixture, page, videoId, { query: 'autoplay=1&muted=1' })
      const code = await shownCode(page)
      expect(await page.locator('#message .code').textContent()).toMatch(
        new RegExp(String.raw`^\p{L}+ ${code} · failed$`, 'u'),
      )
      await page.click('#message .actions .quiet')
      const copied = await waitFor('the text', () =>
        page.evaluate<string>('navigator.clipboard.readText()'),
      )
      expect(copied).toContain(code)
      await page.context().close()
    }
  }, 90_000)
})
