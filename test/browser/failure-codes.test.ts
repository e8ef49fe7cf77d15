import type { Frame, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { revokeViewer } from '../../commands/viewers/revoke-viewer.ts'
import { Video } from '../../db/entities/video.ts'
import { findPlaybackReport } from '../../db/playback/playback-reports.ts'
import { LANGUAGES } from '../../domain/language.ts'
import { settingPath } from '../../domain/playback-reports/explain-failure.ts'
import { decodeFailureCode } from '../../domain/playback-reports/failure-code.ts'
import type { PlayerCause } from '../../domain/playback-reports/playback-causes.ts'
import { playbackReportView } from '../../views/playback/playback-report.ts'
import { someOf } from '../infrastructure/every-case.ts'
import { waitFor } from '../infrastructure/wait-for.ts'
import {
  openEmbeddedPlayerFixture,
  PREPARED_WITHIN_MS,
  type EmbeddedPlayerFixture,
} from './embedded-player.ts'
import { useScript } from './idle-pages.ts'
import { hastenHeartbeats, openBlank, play, untilMessage, visitEmbed } from './viewer.ts'

let fixture: EmbeddedPlayerFixture
let videoId: string

beforeAll(async () => {
  fixture = await openEmbeddedPlayerFixture()
  videoId = fixture.wideId
  // So its heartbeats are those of every five seconds.
  await fixture.withoutRung(videoId, '240p')
}, PREPARED_WITHIN_MS)
afterAll(() => fixture?.close())
afterEach(async () => {
  await fixture.db.em.fork().nativeUpdate(Video, videoId, { deletedAt: null, status: 'playable' })
  await fixture.configure({})
})

const HOST = 'site.localhost'
const setVideo = (change: object) =>
  fixture.db.em
    .fork()
    .nativeUpdate(Video, videoId, change)
    .then(() => undefined)

/** What keeps the video from playing; begins before the page is loaded. */
type Cause = (page: Page) => Promise<unknown>

/** Makes the change once the video plays; its next heartbeat tells. */
const whilePlaying =
  (change: (page: Page) => Promise<unknown>): Cause =>
  async (page) => {
    await hastenHeartbeats(page)
    page.once('load', () => void play(page).then(() => change(page)))
  }

const WATERMARK = {
  watermark: { enabled: true, required: false, opacity: 0.4, size: 'medium' },
} as const
const cover = () => {
  const style = document.createElement('style')
  style.textContent = `#player > :last-child::after { content: ''; position: fixed; inset: 0; background: #246 }`
  document.head.append(style)
}

/** Each problem that the player finds itself, how it comes about, and the page of the next step. Those of DRM are in `drm.test.ts`. */
const PROBLEMS: [PlayerCause, Cause, setting: string | null][] = [
  [
    'unsupported',
    (page) =>
      useScript(page, () => {
        const known = navigator.mediaCapabilities
        const real = known.decodingInfo.bind(known)
        // Of a browser whose key systems are switched off.
        const decodingInfo = async (asked: MediaDecodingConfiguration) => {
          const info = await real(asked)
          return 'keySystemConfiguration' in asked ? { ...info, keySystemAccess: null } : info
        }
        const refuse = () => Promise.reject(new DOMException('none', 'NotSupportedError'))
        Object.assign(known, { decodingInfo })
        Object.assign(Navigator.prototype, { requestMediaKeySystemAccess: refuse })
      }),
    null,
  ],
  [
    'licence_refused',
    (page) =>
      page.route('**/manifest.mpd', (route) => {
        const headers = { ...route.request().headers(), 'x-playback-session': 'x' }
        return route.continue({ headers })
      }),
    null,
  ],
  ['secret_rotated', whilePlaying(() => fixture.rotateSecret()), null],
  ['video_deleted', whilePlaying(() => setVideo({ deletedAt: new Date() })), 'videos'],
  ['video_failed', whilePlaying(() => setVideo({ status: 'failed' })), 'videos/{video}'],
  [
    'viewer_revoked',
    whilePlaying(() =>
      revokeViewer(fixture.db.em.fork(), fixture.accountId, 'viewer of viewer_revoked'),
    ),
    'security/viewers',
  ],
  [
    'session_ended',
    whilePlaying(() =>
      fixture.db.em
        .fork()
        .execute(`update playback_record set ended_at = now() where viewer_id = ?`, [
          'viewer of session_ended',
        ]),
    ),
    null,
  ],
  ['network', (page) => page.route('**/manifest.mpd', (route) => route.abort()), null],
  [
    'failed',
    (page) => page.route('**/manifest.mpd', (route) => route.fulfill({ body: '<MPD' })),
    'videos/{video}',
  ],
]

const shownCode = (page: Page | Frame) =>
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

describe('a problem of the player', () => {
  it.each(PROBLEMS)(
    'has a code that leads to its report: %s',
    async (cause, begin, setting) => {
      const viewerId = `viewer of ${cause}`
      const page = await openBlank(fixture)
      await begin(page)
      const query = 'autoplay=1&muted=1'
      await visitEmbed(fixture, page, videoId, { query, vt: fixture.vt(viewerId) })
      await untilMessage(page, cause)
      const code = await shownCode(page)
      const found = await lookUp(code)
      expect(found).toMatchObject({
        code,
        cause,
        is_stored: true,
        video_id: videoId,
        viewer_id: viewerId,
        host: HOST,
        browser: 'Chrome',
        system: 'Linux',
        setting_path: setting?.replace('{video}', videoId) ?? null,
      })
      await page.context().close()
    },
    90_000,
  )

  it('keeps its code while it lasts, and is reported once the connection is back', async () => {
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

  it('has a code of the minute of the server, whatever the clock of the device says', async () => {
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

  it('is copied with its code, and reads from left to right in each language', async () => {
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

describe('a mistake in the page around the player', () => {
  const mistakes: [PlayerCause, string, (iframe: string) => string, isStored: boolean][] = [
    [
      'no_encrypted_media',
      HOST,
      (iframe) => iframe.replace(/allow="[^"]*"/, 'allow="autoplay"'),
      true,
    ],
    // Its scripts may send nothing to the player host.
    [
      'sandboxed',
      HOST,
      (iframe) => iframe.replace('<iframe', '<iframe sandbox="allow-scripts"'),
      false,
    ],
    ['insecure', 'insecure.example', (iframe) => iframe, true],
  ]

  it.each(mistakes)(
    'has a code: %s',
    async (cause, host, change, isStored) => {
      const page = await (await fixture.browser.newContext()).newPage()
      fixture.servePage(
        '/',
        change(fixture.iframe(`${fixture.embedUrl(videoId)}?autoplay=1&muted=1`)),
      )
      await page.goto(fixture.siteUrl(host))
      const frame = await waitFor('the frame', async () => page.frames()[1])
      const code = await shownCode(frame)
      expect(decodeFailureCode(code)?.cause).toBe(cause)
      if (isStored)
        expect(await lookUp(code)).toMatchObject({
          cause,
          host,
          setting_path: settingPath('embed', videoId),
          message: expect.stringContaining(host),
        })
      await page.context().close()
    },
    60_000,
  )
})

describe('the watermark', () => {
  beforeEach(() => fixture.configure(WATERMARK))

  it('that is covered has a code when the video pauses, and another one when it stops', async () => {
    const page = await openBlank(fixture)
    await visitEmbed(fixture, page, videoId, { vt: fixture.vt('trudy') })
    await play(page)
    const strike = (until: string) =>
      waitFor(until, async () => {
        await page.evaluate(cover)
        return (await page.evaluate(() => document.documentElement.dataset.error)) === until
      })
    await strike('watermark_lost')
    const lost = await lookUp(await shownCode(page))
    expect(lost).toMatchObject({ cause: 'watermark_lost', viewer_id: 'trudy' })
    await page.click('#message .actions button:not(.quiet)')
    await strike('watermark')
    const stopped = await waitFor('the other code', async () => {
      const code = await shownCode(page)
      return code === lost.code ? null : code
    })
    expect(await lookUp(stopped)).toMatchObject({
      cause: 'watermark',
      setting_path: 'security/events',
    })
    await page.context().close()
  }, 90_000)
})
