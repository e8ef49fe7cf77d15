import { describe, expect, it } from 'vitest'
import { Plan } from '../../db/entities/account.ts'
import { setUpApiFixture } from '../../test/fixtures/api.ts'

const t = setUpApiFixture()
const { call, create, sourceUrl, makeAccount } = t

describe('POST /v1/videos', () => {
  it('returns 202 with the full video object, queued, and requests its ingest', async () => {
    const { status, json } = await create({ description: 'Zoë' })
    expect(status).toBe(202)
    expect(json).toMatchObject({
      object: 'video',
      status: 'queued',
      title: 'lesson.mp4',
      description: 'Zoë',
      folder_id: null,
      duration: null,
      size_bytes: 0,
      poster_url: null,
      resolutions: [],
      error: null,
    })
    expect(json.id).toMatch(/^[0-9a-f]{20}$/)
    expect(json.embed_url).toBe(
      `https://play.example/${String(json.id)}/${encodeURIComponent(btoa(String(t.ours.id)))}`,
    )
    expect(json.created_at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+\+00:00$/)
    const rows = await t.db.em
      .fork()
      .execute(`select 1 from outbox where command = 'ingest-video' and subject_id = ?`, [json.id])
    expect(rows).toHaveLength(1)
  })

  it('accepts folder_id: null for no folder, as PATCH does', async () => {
    const { status, json } = await create({ folder_id: null })
    expect([status, json.folder_id]).toEqual([202, null])
    const path = `/v1/videos/${String(json.id)}`
    const changed = await call('PATCH', path, { body: { folder_id: null } })
    expect([changed.status, changed.json.folder_id]).toEqual([200, null])
  })

  it.each(['encryption', 'resolutions', 'keep_original', 'constructor', '__proto__', 'Title'])(
    'refuses the field %s',
    async (field) => {
      const raw = `{"source_url":"https://a.example/x.mp4","${field}":1}`
      const response = await call('POST', '/v1/videos', { raw })
      expect(response).toMatchObject({ status: 400, code: 'unknown_parameter' })
      expect(response.json.error?.param).toBe(field)
    },
  )

  it.each([
    ['source_url', undefined],
    ['source_url', null],
    ['source_url', 7],
    ['title', ''],
    ['title', '  '],
    ['title', null],
    ['title', 'x'.repeat(256)],
    ['title', 'a\u0000b'],
    ['title', '\ud800'],
    ['description', 'x'.repeat(5001)],
    ['description', {}],
    ['folder_id', '1'],
    ['folder_id', 1.5],
    ['folder_id', 1e300],
  ])('refuses %s = %j', async (field, value) => {
    const response = await create({ [field]: value })
    expect(response).toMatchObject({ status: 422, code: 'invalid_parameter' })
    expect(response.json.error?.param).toBe(field)
  })

  it.each([0, -1, 999_999, Number.MAX_SAFE_INTEGER])(
    'does not find folder %i',
    async (folder_id) => {
      expect(await create({ folder_id })).toMatchObject({ status: 400, code: 'folder_not_found' })
    },
  )

  it.each([
    ['http://a.example/x.mp4', 'invalid_source_url'],
    ['https://a.example:444/x.mp4', 'invalid_source_url'],
    ['not a link', 'invalid_source_url'],
    [`https://a.example/${'x'.repeat(2048)}`, 'invalid_source_url'],
    ['https://10.0.0.1/x.mp4', 'source_not_allowed'],
    ['https://[::1]/x.mp4', 'source_not_allowed'],
    ['https://169.254.169.254/latest', 'source_not_allowed'],
    ['https://nothing.invalid/x.mp4', 'source_unreachable'],
  ])('refuses the link %s with %s', async (source_url, code) => {
    expect(await create({ source_url })).toMatchObject({ status: 422, code })
  })

  it('refuses a link that responds to HEAD with 404', async () => {
    const source_url = `${t.outside.baseUrl}/files/none.mp4`
    expect(await create({ source_url })).toMatchObject({ status: 422, code: 'source_unreachable' })
  })

  it('requires an active plan with enough storage, even for two concurrent requests', async () => {
    const account = await makeAccount()
    const post = () =>
      call('POST', '/v1/videos', { body: { source_url: sourceUrl() }, key: account.key })
    const em = t.db.em.fork()
    await em.nativeUpdate(Plan, { accountId: account.id }, { storageLimitBytes: 1500 })
    const responses = await Promise.all([post(), post(), post()])
    expect(responses.map(({ status }) => status).sort((a, b) => a - b)).toEqual([202, 422, 422])
    expect(responses.find(({ status }) => status === 422)?.code).toBe('insufficient_storage')
    await em.nativeUpdate(Plan, { accountId: account.id }, { isActive: false })
    expect((await post()).code).toBe('no_active_plan')
  })
})

describe('POST /v1/videos on a Multi-DRM plan', () => {
  it('is refused immediately when the operator has not configured a DRM provider', async () => {
    const account = await makeAccount()
    const em = t.db.em.fork()
    await em.nativeUpdate(Plan, { accountId: account.id }, { protection: 'multi-drm' })
    const response = await call('POST', '/v1/videos', {
      body: { source_url: sourceUrl() },
      key: account.key,
    })
    expect(response).toMatchObject({ status: 422, code: 'drm_provider_not_configured' })
    expect(response.json.error?.message).toContain('both keys and licences')
    const rows = await em.execute('select 1 from video where account_id = ?', [account.id])
    expect(rows).toEqual([])
  })
})

describe('one video', () => {
  it('is returned whole, as status and as embed, only to its account', async () => {
    const { json } = await create()
    const read = (suffix: string, key = t.ours.key) =>
      call('GET', `/v1/videos/${String(json.id)}${suffix}`, { key })
    expect((await read('')).json).toEqual(json)
    const status = (await read('/status')).json
    expect(Object.keys(status).sort()).toEqual([
      'duration',
      'id',
      'object',
      'progress',
      'size_bytes',
      'status',
      'updated_at',
    ])
    expect(status).toMatchObject({ object: 'video_status', size_bytes: 0, duration: null })
    expect(status.progress).toEqual({
      percent: 0,
      seconds_left: null,
      watchable_seconds: 0,
      renditions: [],
    })
    expect((await read('/embed')).json.iframe_html).toContain(
      `src="${String(json.embed_url)}" title="${String(json.title)}"`,
    )
    for (const suffix of ['', '/status', '/embed'])
      expect((await read(suffix, t.theirs.key)).code).toBe('video_not_found')
  })

  it.each(['x', '0'.repeat(20), '%00', 'a'.repeat(5000)])('%s is not found', async (id) => {
    expect((await call('GET', `/v1/videos/${id}`)).status).toBe(404)
  })
})
