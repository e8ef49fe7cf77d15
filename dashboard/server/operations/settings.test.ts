import { describe, expect, it } from 'vitest'
import { editSettings } from '../../../commands/settings/edit-settings.ts'
import { DEFAULT_PLAYER_SETTINGS } from '../../../domain/settings/player-settings.ts'
import { auditRows } from '../../../test/fixtures/audit-log.ts'
import { setUpDashboardFixture } from '../../../test/fixtures/dashboard.ts'
import { insertVideoFixture } from '../../../test/fixtures/video-rows.ts'

const t = setUpDashboardFixture()
const get = async () => (await t.call('reader', 'GET', '/settings')).json
const change = (body: object) => t.call('editor', 'PATCH', '/settings', { body })
const version = async () => Number((await get()).version)

describe('GET /settings', () => {
  it('returns all settings with their version', async () => {
    expect(await get()).toEqual({ object: 'settings', version: 1, ...DEFAULT_PLAYER_SETTINGS })
  })
})

describe('PATCH /settings', () => {
  it('changes what it names, also within a group, and keeps the rest', async () => {
    const before = await version()
    const response = await change({
      version: before,
      theme: 'light',
      watermark: { enabled: true },
      allowed_domains: ['Bücher.Example', '*.a.example'],
    })
    const expected = {
      ...DEFAULT_PLAYER_SETTINGS,
      theme: 'light',
      watermark: { ...DEFAULT_PLAYER_SETTINGS.watermark, enabled: true },
      allowed_domains: ['xn--bcher-kva.example', '*.a.example'],
    }
    expect(response.status).toBe(200)
    expect(response.json).toEqual({ object: 'settings', version: before + 1, ...expected })
    expect(await get()).toEqual(response.json)
    const api = await t.call('reader', 'GET', '/v1/settings/player')
    expect(api.json).toEqual({ object: 'player_settings', ...expected })
  })

  it('refuses an older version with what is stored now, and changes nothing', async () => {
    const opened = await version()
    await change({ version: opened, theme: 'auto' })
    const stale = await change({ version: opened, theme: 'dark', keep_original: true })
    expect(stale).toMatchObject({ status: 409, code: 'stale_settings' })
    expect(stale.json.current).toEqual(await get())
    expect(await get()).toMatchObject({ theme: 'auto', keep_original: false, version: opened + 1 })
  })

  it('saves one of two changes that start from the same version', async () => {
    const opened = await version()
    const responses = await Promise.all(
      ['#111111', '#222222'].map((text) => change({ version: opened, colors: { text } })),
    )
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    expect(await version()).toBe(opened + 1)
  })

  it('refuses a version from before a change of the command line', async () => {
    const opened = await version()
    await editSettings(t.em(), t.accountId, (settings) => ({ ...settings, direct_play: true }))
    expect((await change({ version: opened, theme: 'dark' })).code).toBe('stale_settings')
  })

  it.each([
    [{ colors: { accent: 'red' } }, 422, 'colors.accent'],
    [{ available_resolutions: [360, 361] }, 422, 'available_resolutions.1'],
    [{ available_resolutions: [] }, 422, 'available_resolutions'],
    [{ allowed_domains: ['a.example', 'https://b.example/'] }, 422, 'allowed_domains.1'],
    [{ watermark: { opacity: 0 } }, 422, 'watermark.opacity'],
    [{ subtitles: { default_language: 'not a language' } }, 422, 'subtitles.default_language'],
    [{ theme: 'blue' }, 422, 'theme'],
    [{ watermark: { visible: true } }, 400, 'watermark.visible'],
    [{ volume: 3 }, 400, 'volume'],
  ])('refuses %j, names the setting and changes nothing', async (body, status, param) => {
    const before = await get()
    const response = await change({ version: before.version, theme: 'dark', ...body })
    expect(response.status).toBe(status)
    expect(response.json.error?.param).toBe(param)
    expect(response.json.error?.message).toMatch(
      /^`[^`]+` must .+\.$|^This endpoint does not accept/,
    )
    expect(await get()).toEqual(before)
  })

  it('needs a version', async () => {
    const response = await change({ theme: 'dark' })
    expect(response).toMatchObject({ status: 422, json: { error: { param: 'version' } } })
  })

  it('writes what was changed to the audit log, and nothing if nothing was', async () => {
    await change({ version: await version(), theme: 'dark', keep_original: false })
    await change({ version: await version(), theme: 'light' })
    const rows = await auditRows(t, t.accountId)
    expect(rows.at(-1)).toEqual({
      action: 'settings.update',
      subject: '',
      before: { theme: 'dark' },
      after: { theme: 'light' },
      actorKind: 'member',
      actorId: t.members.editor.id,
      actorName: t.members.editor.email,
    })
    const opened = await version()
    expect((await change({ version: opened, theme: 'light' })).status).toBe(200)
    expect(await version()).toBe(opened)
    expect(await auditRows(t, t.accountId)).toHaveLength(rows.length)
  })
})

describe('what is kept of viewers', () => {
  const erasures = () => t.execute('select id from viewer_erasure')
  const keep = async (person: 'owner' | 'editor', viewerData: object) => {
    const body = { version: await version(), viewer_data: viewerData }
    return t.call(person, 'PATCH', '/settings', { body })
  }

  it.each([{ totals_only: true }, { sessions_kept_days: 1 }, { progress_kept_days: 1 }])(
    'is not changed by an editor, who may erase no viewer: %j',
    async (viewerData) => {
      const before = await get()
      const { status, code } = await keep('editor', viewerData)
      expect([status, code]).toEqual([403, 'insufficient_role'])
      expect(await get()).toEqual(before)
      expect(await erasures()).toEqual([])
    },
  )

  it('is changed by an owner', async () => {
    expect((await keep('owner', { totals_only: true })).status).toBe(200)
    expect(await erasures()).toHaveLength(1)
  })
})

describe('GET /settings/plays-without-token', () => {
  it('counts the plays of the last day that had no token, but for those in the dashboard', async () => {
    const videoId = await insertVideoFixture(t.db, { accountId: t.accountId })
    const play = (viewer: string | null, host: string | null, hours: number, id = t.accountId) =>
      t.execute(
        `insert into playback_record
           (id, video_id, account_id, viewer_id, referer_host, started_at, signing_secret_version)
         values (gen_random_uuid(), ?, ?, ?, ?, now() - ? * interval '1 hour', 1)`,
        [videoId, id, viewer, host, hours],
      )
    const count = async () => (await t.call('reader', 'GET', '/settings/plays-without-token')).json
    expect(await count()).toEqual({ object: 'plays_without_token', play_count: 0 })
    await play(null, 'site.example', 1)
    await play(null, null, 23)
    await play('anna', 'site.example', 1)
    await play(null, 'site.example', 25)
    await play(null, 'localhost', 1)
    await play(null, 'site.example', 1, t.otherAccountId)
    expect(await count()).toEqual({ object: 'plays_without_token', play_count: 2 })
  })
})
