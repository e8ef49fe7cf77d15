import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from '../../../db/database.ts'
import { PlaybackReport } from '../../../db/entities/playback-report.ts'
import { findPlaybackReport } from '../../../db/playback/playback-reports.ts'
import { PLAYBACK_REPORT_LIMITS } from '../../../domain/limits.ts'
import {
  decodeFailureCode,
  encodeFailureCode,
} from '../../../domain/playback-reports/failure-code.ts'
import { encodeAccountId } from '../../../domain/playback/embed-url.ts'
import { DEFAULT_PLAYER_SETTINGS } from '../../../domain/settings/player-settings.ts'
import { playbackFailures } from '../../../metrics/playback.ts'
import { deriveKeys } from '../../../security/sealing/sealing.ts'
import { signReferrer } from '../../../security/tokens/referrer-ticket.ts'
import {
  openSessionFixture,
  statusAndCode,
  type SessionFixture,
} from '../../../test/fixtures/playback-sessions.ts'
import { insertPublishedVideo } from '../../../test/fixtures/published-video.ts'
import { followAlert } from '../../../test/infrastructure/follow-alert.ts'
import { waitFor } from '../../../test/infrastructure/wait-for.ts'
import { paths } from '../paths.ts'

let fixture: SessionFixture

beforeAll(async () => {
  fixture = await openSessionFixture()
})
afterAll(() => fixture?.close())
beforeEach(async () => {
  await fixture.reset()
  await fixture.configure({})
  await fixture.restart()
  await fixture.db.em.fork().nativeDelete(PlaybackReport, {})
})

const SITE = 'https://lms.example.org/course'
const AGENT =
  'Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0 SecretBuild/4711'

const rows = () => fixture.db.em.fork().find(PlaybackReport, {})
const codeIn = (html: string): string => {
  const [, code = ''] = /<bdi dir="ltr">([0-9A-Z-]{14})<\/bdi>/.exec(html) ?? []
  return code
}
const reportOf = (code: string) =>
  waitFor('the report', () => findPlaybackReport(fixture.db.em.fork(), code, fixture.accountId))

// That of each page is in `test/browser/causes/`.
describe('the report of a refusal', () => {
  it('says how long ago the token expired', async () => {
    await comeToTokens()
    const html = await (
      await fixture.page(`?vt=${fixture.vtFor('ann', -3 * 3600)}`, { Referer: SITE })
    ).text()
    const { details } = await reportOf(codeIn(html))
    expect(details).toEqual({ expired_seconds: expect.closeTo(3 * 3600, -2) })
  })

  it('has no secret, no address of a client and no User-Agent', async () => {
    await comeToTokens()
    const forged = fixture.vtFor('ann', 60, 'f'.repeat(64))
    const headers = { Referer: `${SITE}?ticket=hidden`, 'User-Agent': AGENT }
    const html = await (await fixture.page(`?vt=${forged}`, headers)).text()
    await reportOf(codeIn(html))
    const [row] = await fixture.db.em
      .fork()
      .execute<[{ text: string }]>('select r::text as text from playback_report r')
    expect(row.text).toContain('lms.example.org')
    for (const hidden of [forged, forged.slice(0, 20), 'hidden', '127.0.0.1', '4711', 'ann'])
      expect(row.text).not.toContain(hidden)
  })

  it('of a page of changed settings, and of one without JavaScript, has its own cause', async () => {
    const keys = deriveKeys(fixture.masterKeys, 'framing-site')
    const from = encodeURIComponent(signReferrer(SITE, fixture.videoId, keys))
    const own = { Referer: fixture.base + fixture.embedPath }
    const outdated = await (await fixture.page(`?hardware=none&from=${from}`, own)).text()
    expect(decodeFailureCode(codeIn(outdated))?.cause).toBe('settings_changed')
    expect(await reportOf(codeIn(outdated))).toMatchObject({ host: 'lms.example.org' })
    const player = await (await fixture.page()).text()
    const [, code = ''] = /<noscript>.*<bdi dir="ltr">(.*)<\/bdi>/.exec(player) ?? []
    expect(decodeFailureCode(code)?.cause).toBe('no_script')
  })

  it('is not kept while PostgreSQL is away, and the page has its code', async () => {
    const db = await openDatabase({ url: 'postgres://nothing@127.0.0.1:1/nothing' })
    await fixture.restart({ db })
    const response = await fixture.page('', { Referer: SITE })
    expect(response.status).toBe(503)
    expect(decodeFailureCode(codeIn(await response.text()))?.cause).toBe('service_unavailable')
    await waitFor('the warning', async () => fixture.logged().includes('were not kept'))
    await db.close(true)
  })

  it('names no video of another account, and none of an unknown account is kept', async () => {
    const other = await insertPublishedVideo(fixture.db, fixture, { title: 'Other' })
    const missing = async (videoId: string, accountId: number) => {
      const path = `/${videoId}/${encodeAccountId(accountId)}`
      const html = await (await fetch(fixture.base + path, { headers: { Referer: SITE } })).text()
      expect(decodeFailureCode(codeIn(html))?.cause).toBe('not_found')
      return codeIn(html)
    }
    await missing(fixture.videoId, other.accountId + 1)
    expect(await reportOf(await missing(other.videoId, fixture.accountId))).toMatchObject({
      videoId: null,
      videoTitle: null,
    })
    expect(await rows()).toHaveLength(1)
  })

  it('is not kept of a HEAD request', async () => {
    await fixture.configure({ blocked_domains: ['lms.example.org'] })
    await fetch(fixture.base + fixture.embedPath, { method: 'HEAD', headers: { Referer: SITE } })
    await reportOf(codeIn(await (await refused()).text()))
    expect(await rows()).toHaveLength(1)
  })
})

describe('a flood of refusals', () => {
  it('has codes on all pages, and writes a bounded number of reports', async () => {
    await fixture.configure({ blocked_domains: ['lms.example.org'] })
    const { burst } = PLAYBACK_REPORT_LIMITS.origin
    const pages = await Promise.all(Array.from({ length: burst + 20 }, () => refused()))
    const codes = await Promise.all(pages.map(async (page) => codeIn(await page.text())))
    for (const code of codes) expect(decodeFailureCode(code)?.cause).toBe('domain_blocked')
    await waitFor('the reports', async () => (await rows()).length >= burst)
    // A report that came later would be written by now: those of a process are written in their order.
    const vt = fixture.vtFor('ann')
    await reportOf(codeIn(await (await fixture.page(`?vt=${vt}`, { Referer: SITE })).text()))
    expect((await rows()).length).toBeLessThanOrEqual(burst + 2)
  })
})

describe('what a player reports', () => {
  const fail = (session: string, body: unknown) =>
    fixture.ask(paths.failures, { method: 'POST', session, body })
  const codeOf = (cause: 'network' | 'failed', agoMs = 0, random = Math.random()) =>
    encodeFailureCode({ cause, atMs: Date.now() - agoMs }, Math.floor(random * 2 ** 23))

  it('is kept with what the session says, and the first report with a code wins', async () => {
    const { session } = await fixture.openPage({ vt: fixture.vtFor('ann') })
    const code = codeOf('network')
    const details = { error_code: 1002, is_online: false, position_seconds: 7 }
    expect((await fail(session, { code, cause: 'network', details })).status).toBe(204)
    const kept = await reportOf(code)
    expect(kept).toMatchObject({
      cause: 'network',
      videoId: fixture.videoId,
      viewerId: 'ann',
      host: 'site.example',
      details,
    })
    const again = { code, cause: 'network', details: { position_seconds: 9 } }
    expect((await fail(session, again)).status).toBe(204)
    const next = codeOf('failed')
    await fail(session, { code: next, cause: 'failed' })
    await reportOf(next)
    expect(await reportOf(code)).toEqual(kept)
  })

  it('is counted by its cause, and leads from the alert to the video, without a word about the viewer', async () => {
    const counted = async () =>
      (await playbackFailures.get()).values.find(({ labels }) => labels.cause === 'network')?.value
    const before = await counted()
    const { session } = await fixture.openPage({ vt: fixture.vtFor('ann') })
    const details = { error_code: 1001, http_status: 502 }
    await fail(session, { code: codeOf('network'), cause: 'network', details })
    expect(await counted()).toBe((before ?? NaN) + 1)
    const logs = { player: fixture.logged() }
    const found = await followAlert('ReelgatePlaysFail', logs, { CAUSE: 'network' })
    const line = found.split('\n').at(-1) ?? ''
    expect(JSON.parse(line)).toMatchObject({
      videoId: fixture.videoId,
      host: 'site.example',
      details,
    })
    expect(line).not.toContain('ann')
  })

  it.each<[string, () => unknown]>([
    ['nothing', () => ({})],
    ['no object', () => [1]],
    ['a code that is none', () => ({ code: 'AAAA-AAAA-AAAA', cause: 'network' })],
    ['a code in another form', () => ({ code: codeOf('network').toLowerCase(), cause: 'network' })],
    ['a code of another cause', () => ({ code: codeOf('failed'), cause: 'network' })],
    ['an old code', () => ({ code: codeOf('network', 3 * 3_600_000), cause: 'network' })],
    ['a code of later', () => ({ code: codeOf('network', -600_000), cause: 'network' })],
    [
      'a cause of the server',
      () => ({
        code: encodeFailureCode({ cause: 'domain_blocked', atMs: Date.now() }, 1),
        cause: 'domain_blocked',
      }),
    ],
    [
      'a further field',
      () => ({ code: codeOf('network'), cause: 'network', host: 'evil.example' }),
    ],
    [
      'a text as a detail',
      () => ({ code: codeOf('network'), cause: 'network', details: { error_code: 'vt=secret' } }),
    ],
    [
      'a further detail',
      () => ({ code: codeOf('network'), cause: 'network', details: { note: 'x' } }),
    ],
    [
      'a number without bounds',
      () => ({ code: codeOf('network'), cause: 'network', details: { error_code: 1e9 } }),
    ],
  ])('is refused if it has %s', async (_what, body) => {
    const { session } = await fixture.openPage()
    expect(await statusAndCode(await fail(session, body()))).toEqual([400, 'invalid_failure'])
    expect(await rows()).toEqual([])
  })

  it('needs a session', async () => {
    const body = { code: codeOf('network'), cause: 'network' }
    expect(await statusAndCode(await fail('x', body))).toEqual([403, 'session_required'])
  })

  it('is kept a few times only of one session', async () => {
    const { burst } = PLAYBACK_REPORT_LIMITS.session
    const { session } = await fixture.openPage({ vt: fixture.vtFor('ann') })
    for (let n = 0; n < burst + 3; n++)
      expect((await fail(session, { code: codeOf('network'), cause: 'network' })).status).toBe(204)
    const other = await fixture.openPage({ vt: fixture.vtFor('bob') })
    const last = codeOf('network')
    await fail(other.session, { code: last, cause: 'network' })
    await reportOf(last)
    expect((await rows()).filter(({ viewerId }) => viewerId === 'ann')).toHaveLength(burst)
  })
})

const refused = () => fixture.page('', { Referer: SITE })

const comeToTokens = () =>
  fixture.configure({
    watermark: { ...DEFAULT_PLAYER_SETTINGS.watermark, enabled: true, required: true },
  })
