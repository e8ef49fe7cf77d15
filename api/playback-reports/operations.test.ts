import { beforeAll, describe, expect, it } from 'vitest'
import { keepReports } from '../../commands/playback-reports/keep-reports.ts'
import type { ReportDetails } from '../../db/entities/playback-report.ts'
import { PLAYBACK_REPORT_KEPT_DAYS } from '../../domain/limits.ts'
import {
  decodeFailureCode,
  encodeFailureCode,
  FAILURE_CODE_RANDOM_MAX,
} from '../../domain/playback-reports/failure-code.ts'
import {
  isPlaybackCause,
  PLAYBACK_CAUSES,
  type PlaybackCause,
} from '../../domain/playback-reports/playback-causes.ts'
import { createKeyFixture } from '../../test/fixtures/account.ts'
import { setUpApiFixture } from '../../test/fixtures/api.ts'

const t = setUpApiFixture()
let videoId: string

beforeAll(async () => {
  const { json } = await t.call('POST', '/v1/videos', {
    body: { source_url: t.sourceUrl(), title: 'Opening night' },
  })
  videoId = String(json.id)
})

const newCode = (cause: PlaybackCause): string =>
  encodeFailureCode(
    { cause, atMs: Date.now() },
    Math.floor(Math.random() * FAILURE_CODE_RANDOM_MAX),
  )

/** Keeps a report of the account, with everything that one may say. */
async function report(cause: PlaybackCause, details: ReportDetails = {}): Promise<string> {
  const code = newCode(cause)
  const facts = { videoId, viewerId: 'ann', host: 'lms.example.org', details }
  const device = { browser: 'Firefox', system: 'Linux' }
  await keepReports(t.db.em.fork(), [{ code, accountId: t.ours.id, cause, ...facts, ...device }])
  return code
}

const read = (typed: string, key = t.ours.key) =>
  t.call('GET', `/v1/playback-reports/${encodeURIComponent(typed)}`, { key })

describe('GET /v1/playback-reports/{code}', () => {
  it('says what happened, what to do and where, with the facts of the report', async () => {
    const code = await report('domain_not_allowed')
    const { status, json } = await read(code)
    expect(status).toBe(200)
    expect(json).toEqual({
      object: 'playback_report',
      code,
      cause: 'domain_not_allowed',
      message: 'lms.example.org is not in the list of allowed domains.',
      next_step: 'Add lms.example.org to the allowed domains.',
      setting_path: 'settings/domains',
      is_stored: true,
      video_id: videoId,
      video_title: 'Opening night',
      viewer_id: 'ann',
      host: 'lms.example.org',
      browser: 'Firefox',
      system: 'Linux',
      details: {
        expired_seconds: null,
        is_token_malformed: null,
        error_code: null,
        http_status: null,
        position_seconds: null,
        is_online: null,
      },
      created_at: expect.stringMatching(/\+00:00$/),
    })
  })

  it('says how long ago a token expired', async () => {
    const { json } = await read(await report('token_expired', { expired_seconds: 3 * 3600 + 5 }))
    expect(json).toMatchObject({
      message: 'The viewer token expired 3 h before the player was loaded.',
      details: { expired_seconds: 10_805 },
    })
  })

  it('names the video of the next step, unless it was deleted', async () => {
    const code = await report('sandboxed')
    expect((await read(code)).json.setting_path).toBe(`videos/${videoId}/embed`)
    await t.db.em.fork().execute('update video set deleted_at = now() where id = ?', [videoId])
    expect((await read(code)).json).toMatchObject({ setting_path: 'videos', video_title: null })
    await t.db.em.fork().execute('update video set deleted_at = null where id = ?', [videoId])
  })

  it.each(Object.keys(PLAYBACK_CAUSES).filter(isPlaybackCause))(
    'says without a report what the code says by itself: %s',
    async (cause) => {
      const code = newCode(cause)
      const { status, json } = await read(code)
      expect(status).toBe(200)
      expect(json).toMatchObject({
        code,
        cause,
        is_stored: false,
        video_id: null,
        viewer_id: null,
        host: null,
        browser: null,
      })
      const atMs = decodeFailureCode(code)?.atMs ?? 0
      expect(Date.parse(String(json.created_at))).toBe(atMs)
    },
  )

  it('reads the code as people type it', async () => {
    const code = await report('network')
    const typed = ` ${code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o')} `
    expect((await read(typed)).json).toMatchObject({ code, is_stored: true })
  })

  it.each(['x', 'AAAA-AAAA-AAAA', '1C3J-1EM1-EZRS', `${'1'.repeat(65)}`])(
    'refuses what is no code: %s',
    async (typed) => {
      const { status, code } = await read(typed)
      expect([status, code]).toEqual([422, 'invalid_report_code'])
    },
  )

  it('responds to another account as if there were no report', async () => {
    const code = await report('viewer_revoked')
    const { json: foreign } = await read(code, t.theirs.key)
    const { json: unknown } = await read(newCode('viewer_revoked'), t.theirs.key)
    const same = { code: '', created_at: '' }
    expect({ ...foreign, ...same }).toEqual({ ...unknown, ...same })
    // Two accounts may have reports with the same code: neither learns of that of the other.
    const their = { code, accountId: t.theirs.id, cause: 'viewer_revoked', videoId } as const
    const nothing = { viewerId: 'eve', host: null, browser: null, system: null, details: {} }
    await keepReports(t.db.em.fork(), [{ ...their, ...nothing }])
    expect((await read(code)).json.viewer_id).toBe('ann')
    expect((await read(code, t.theirs.key)).json).toMatchObject({
      viewer_id: 'eve',
      video_id: null,
    })
  })

  it('needs the scope audience:read', async () => {
    const key = await createKeyFixture(t.db, t.ours.id, ['account:read', 'usage:read'])
    const { status, code } = await read(newCode('failed'), key)
    expect([status, code]).toEqual([403, 'insufficient_scope'])
  })

  it('forgets a report after its time', async () => {
    const code = await report('failed')
    await t.db.em
      .fork()
      .execute(
        'update playback_report set created_at = now() - make_interval(days => ?) where code = ?',
        [PLAYBACK_REPORT_KEPT_DAYS + 1, code],
      )
    expect((await read(code)).json.is_stored).toBe(false)
  })
})
