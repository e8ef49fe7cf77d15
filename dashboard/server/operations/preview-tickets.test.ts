import { beforeAll, describe, expect, it } from 'vitest'
import { findAccount } from '../../../db/accounts/accounts.ts'
import { decodeAccountId } from '../../../domain/playback/embed-url.ts'
import { DEFAULT_PLAYER_SETTINGS } from '../../../domain/settings/player-settings.ts'
import { verifyMemberToken } from '../../../security/tokens/member-token.ts'
import { openPreviewTicket } from '../../../security/tokens/preview-ticket.ts'
import { readViewerToken } from '../../../security/tokens/viewer-token.ts'
import { auditRows } from '../../../test/fixtures/audit-log.ts'
import { setUpDashboardFixture } from '../../../test/fixtures/dashboard.ts'
import { insertPublishedVideo } from '../../../test/fixtures/published-video.ts'

const t = setUpDashboardFixture()
const create = (body: object) => t.call('editor', 'POST', '/preview-tickets', { body })

async function insertVideo(accountId: number, ageHours: number): Promise<string> {
  const keys = { masterKeys: t.masterKeys, signingSecret: 'a'.repeat(64) }
  const createdAt = new Date(Date.now() - ageHours * 3_600_000)
  return (await insertPublishedVideo(t.db, keys, { title: 'One', accountId, createdAt })).videoId
}

const videos = { older: '', newest: '', theirs: '' }

/** The parts of a preview address, opened as the player does. */
async function opened(address: unknown) {
  const { pathname, searchParams } = new URL(String(address))
  const [, videoId = '', account = ''] = decodeURIComponent(pathname).split('/')
  const accountId = decodeAccountId(account) ?? 0
  const stored = await findAccount(t.em(), accountId)
  if (!stored) throw new Error('no account')
  const sent = readViewerToken(searchParams.get('vt') ?? '')
  const verdict = verifyMemberToken(t.masterKeys, stored, sent)
  if (!verdict.ok) throw new Error(verdict.reason)
  const { viewerId, expiresAtSeconds } = verdict.claims
  const subject = { accountId, videoId, viewerId }
  const open = (nowMs: number) =>
    openPreviewTicket(t.masterKeys, subject, searchParams.get('preview') ?? '', nowMs)
  return { subject, open, tokenSeconds: expiresAtSeconds - Date.now() / 1000 }
}

beforeAll(async () => {
  videos.older = await insertVideo(t.accountId, 2)
  videos.newest = await insertVideo(t.accountId, 1)
  videos.theirs = await insertVideo(t.otherAccountId, 0)
})

describe('POST /preview-tickets', () => {
  it('returns the newest video with the unsaved look, for five minutes and for this member', async () => {
    const change = { theme: 'light', colors: { accent: '#ff0000' }, watermark: { enabled: true } }
    const { status, json } = await create({ settings: change })
    expect(status).toBe(201)
    expect(json).toMatchObject({ object: 'preview_ticket', video_id: videos.newest })
    const { subject, open, tokenSeconds } = await opened(json.embed_url)
    const viewerId = `dashboard:${t.members.editor.id}`
    expect(subject).toEqual({ accountId: t.accountId, videoId: videos.newest, viewerId })
    expect(tokenSeconds).toBeLessThanOrEqual(60)
    const { colors, subtitles } = DEFAULT_PLAYER_SETTINGS
    expect(open(Date.now())).toEqual({
      theme: 'light',
      colors: { ...colors, accent: '#ff0000' },
      subtitles,
      watermark: { enabled: true, opacity: 0.35, size: 'medium' },
    })
    const endMs = Date.parse(String(json.expires_at))
    expect(endMs - Date.now()).toBeLessThanOrEqual(300_000)
    expect(open(endMs + 1_000)).toBeNull()
  })

  it('takes a video of the account, and saves nothing', async () => {
    const { length } = await auditRows(t, t.accountId)
    const { json } = await create({ video_id: videos.older, settings: { theme: 'auto' } })
    expect(json.video_id).toBe(videos.older)
    expect((await t.call('reader', 'GET', '/settings')).json).toMatchObject({ version: 1 })
    expect(await auditRows(t, t.accountId)).toHaveLength(length)
    expect(t.logged()).not.toContain(String(json.embed_url))
  })

  it('finds no video of another account', async () => {
    const response = await create({ video_id: videos.theirs })
    expect(response).toMatchObject({ status: 404, code: 'video_not_found' })
  })

  it.each([
    [{ colors: { accent: 'red' } }, 422, 'settings.colors.accent'],
    [{ watermark: { opacity: 0 } }, 422, 'settings.watermark.opacity'],
    [{ watermark: { required: false } }, 400, 'settings.watermark.required'],
    [{ allowed_domains: [] }, 400, 'settings.allowed_domains'],
    [{ app_only_l3: false }, 400, 'settings.app_only_l3'],
  ])('refuses %j: a preview has a look and no rule', async (settings, status, param) => {
    const response = await create({ settings })
    expect([response.status, response.json.error?.param]).toEqual([status, param])
  })
})
