import { beforeEach, describe, expect, it } from 'vitest'
import { addSourceExtras } from '../../commands/videos/add-source-extras.ts'
import { addBandwidth, addEncodedTime } from '../../db/accounts/write-usage.ts'
import { monthStart, utcDay } from '../../domain/timestamps.ts'
import type { AccountFixture } from '../../test/fixtures/account.ts'
import { setUpApiFixture } from '../../test/fixtures/api.ts'

const t = setUpApiFixture()
const { call, makeAccount } = t
const today = utcDay(Date.now())

describe('GET /v1/usage', () => {
  let accountId: number
  let key: string
  let videoId: string

  beforeEach(async () => {
    ;({ id: accountId, key } = await makeAccount())
    const created = await call('POST', '/v1/videos', { body: { source_url: t.sourceUrl() }, key })
    videoId = String(created.json.id)
    await execute(`update video set size_bytes = 700, reserved_bytes = 100`)
  })

  const execute = (sql: string) => t.db.em.fork().execute(`${sql} where account_id = ${accountId}`)
  const usage = async (query = '') => (await call('GET', `/v1/usage${query}`, { key })).json

  it('returns storage, bandwidth and encoded minutes with the limits of the plan, and a series of days', async () => {
    await addBandwidth(t.db.em.fork(), new Map([[videoId, 4096]]))
    await addBandwidth(t.db.em.fork(), new Map([[videoId, 4]]))
    await addEncodedTime(t.db.em.fork(), accountId, 90_000)
    await execute(
      `update plan set storage_limit_bytes = 1000, bandwidth_limit_bytes = 8000, encoding_limit_minutes = 60`,
    )
    const json = await usage()
    expect(json).toMatchObject({
      object: 'usage',
      start: monthStart(today),
      end: today,
      danger_zone: false,
      storage: { used_bytes: 700, reserved_bytes: 100, limit_bytes: 1000 },
      bandwidth: { served_bytes: 4100, month_served_bytes: 4100, limit_bytes: 8000 },
      encoding: { minutes: 1.5, month_minutes: 1.5, limit_minutes: 60 },
    })
    const days = json.days as object[]
    expect(days).toHaveLength(Number(today.slice(8)))
    expect(days.at(-1)).toEqual({ date: today, served_bytes: 4100, encoded_minutes: 1.5 })
  })

  it('counts nothing for an unknown video', async () => {
    await addBandwidth(t.db.em.fork(), new Map([['0'.repeat(20), 5]]))
    expect(await usage()).toMatchObject({ bandwidth: { served_bytes: 0 } })
  })

  it.each([
    ['storage_limit_bytes', 889, 888],
    ['bandwidth_limit_bytes', 1112, 1111],
    ['encoding_limit_minutes', 12, 11],
  ])('is in the danger zone from 90 %% of %s on', async (column, above, atLimit) => {
    await addBandwidth(t.db.em.fork(), new Map([[videoId, 1000]]))
    await addEncodedTime(t.db.em.fork(), accountId, 10 * 60_000)
    await execute(`update plan set ${column} = ${above}`)
    expect((await usage()).danger_zone).toBe(false)
    await execute(`update plan set ${column} = ${atLimit}`)
    expect((await usage()).danger_zone).toBe(true)
  })

  it('returns the requested range, and uses the current month for the danger zone', async () => {
    await addBandwidth(t.db.em.fork(), new Map([[videoId, 1000]]))
    await execute(`update usage_day set day = '2025-02-27'`)
    await execute(`update plan set bandwidth_limit_bytes = 1000`)
    const json = await usage('?start=2025-02-26&end=2025-03-01')
    expect(json).toMatchObject({ danger_zone: false, bandwidth: { served_bytes: 1000 } })
    expect((json.days as { served_bytes: number }[]).map((day) => day.served_bytes)).toEqual([
      0, 1000, 0, 0,
    ])
  })

  it.each([
    ['start=2026-02-30', 422, 'invalid_parameter', 'start'],
    ['start=yesterday', 422, 'invalid_parameter', 'start'],
    ['start=2026-11-02&end=2026-11-01', 422, 'invalid_parameter', 'start'],
    ['start=2020-01-01&end=2026-01-01', 422, 'invalid_parameter', 'start'],
    ['end=0000-01-01', 422, 'invalid_parameter', 'end'],
    ['start=0000-01-01', 422, 'invalid_parameter', 'start'],
    ['end=2026-1-1', 422, 'invalid_parameter', 'end'],
    ['from=2026-01-01', 400, 'unknown_parameter', 'from'],
  ])('refuses ?%s', async (query, status, code, param) => {
    const response = await call('GET', `/v1/usage?${query}`, { key })
    expect(response).toMatchObject({ status, code })
    expect(response.json.error?.param).toBe(param)
  })

  it('accepts a whole leap year', async () => {
    expect((await usage('?start=2024-01-01&end=2024-12-31')).days).toHaveLength(366)
  })
})

describe('storage', () => {
  it('is reserved by a video that is being ingested, so that two cannot exceed the limit together', async () => {
    const { id, key } = await makeAccount()
    await t.db.em
      .fork()
      .execute('update plan set storage_limit_bytes = 2500 where account_id = ?', [id])
    const responses = await Promise.all(
      Array.from({ length: 6 }, () =>
        call('POST', '/v1/videos', { body: { source_url: t.sourceUrl() }, key }),
      ),
    )
    const codes = responses.map(({ code }) => code)
    expect(codes.filter((code) => code === undefined)).toHaveLength(2)
    expect(codes.filter((code) => code === 'insufficient_storage')).toHaveLength(4)
  })
})

describe('the storage of captions', () => {
  let account: AccountFixture
  let videoId: string

  beforeEach(async () => {
    account = await makeAccount()
    const body = { source_url: t.sourceUrl() }
    videoId = String((await call('POST', '/v1/videos', { body, key: account.key })).json.id)
  })

  const execute = (sql: string) => t.db.em.fork().execute(sql)
  const limitTo = (bytes: number | null) =>
    execute(`update plan set storage_limit_bytes = ${bytes} where account_id = ${account.id}`)
  const vttOf = (bytes: number) => 'WEBVTT\n\nNOTE '.padEnd(bytes, 'x')
  const write = (language: string, bytes: number) =>
    call('POST', `/v1/videos/${videoId}/captions`, {
      body: { language_code: language, label: language, content: vttOf(bytes) },
      key: account.key,
    })
  const outcome = async (response: ReturnType<typeof write>) => {
    const { status, code } = await response
    return code ?? status
  }
  const storage = async () =>
    (await call('GET', '/v1/usage', { key: account.key })).json.storage as Record<string, number>

  it('counts in that of the plan, and not in the size of the video', async () => {
    await limitTo(5000)
    expect(await outcome(write('en', 2000))).toBe(201)
    expect(await storage()).toMatchObject({ used_bytes: 2000, reserved_bytes: 1000 })
    expect(await outcome(write('de', 2001))).toBe('insufficient_storage')
    expect(await outcome(write('de', 2000))).toBe(201)
    const body = { source_url: t.sourceUrl() }
    const video = await call('POST', '/v1/videos', { body, key: account.key })
    expect(video.code).toBe('insufficient_storage')
    const { json } = await call('GET', `/v1/videos/${videoId}/status`, { key: account.key })
    expect(json.size_bytes).toBe(0)
    await call('DELETE', `/v1/videos/${videoId}/captions/de`, { key: account.key })
    expect((await storage()).used_bytes).toBe(2000)
    expect(await outcome(write('fr', 2000))).toBe(201)
  })

  it('is kept above the limit; only what needs more is refused', async () => {
    await write('en', 3000)
    await limitTo(100)
    expect(await outcome(write('en', 3001))).toBe('insufficient_storage')
    expect(await outcome(write('de', 50))).toBe('insufficient_storage')
    expect(await outcome(write('en', 3000))).toBe(201)
    expect(await outcome(write('en', 2900))).toBe(201)
    expect((await storage()).used_bytes).toBe(2900)
  })

  it('is not exceeded by several at once', async () => {
    await limitTo(5000)
    const languages = ['ar', 'cs', 'de', 'en', 'es', 'fr']
    const outcomes = await Promise.all(languages.map((one) => outcome(write(one, 1500))))
    expect(outcomes.filter((one) => one === 201)).toHaveLength(2)
    expect(outcomes.filter((one) => one === 'insufficient_storage')).toHaveLength(4)
  })

  it('has 10 GB in a plan without a limit', async () => {
    await limitTo(null)
    await execute(`insert into caption (video_id, language_code, label, content, size_bytes)
      select '${videoId}', 'x-' || n, 'x', '', 1999999900 from generate_series(1, 5) n`)
    expect(await outcome(write('en', 501))).toBe('insufficient_storage')
    expect(await outcome(write('en', 500))).toBe(201)
  })

  it('leaves out subtitles of a source that do not fit', async () => {
    await limitTo(3000)
    const captions = ['en', 'de', 'fr'].map((languageCode, index) => ({
      languageCode,
      label: languageCode,
      content: vttOf([1500, 1500, 400][index] ?? 0),
    }))
    const leftOut = await t.db.em
      .fork()
      .transactional((tx) =>
        addSourceExtras(tx, { accountId: account.id, videoId }, { chapters: [], captions }),
      )
    expect(leftOut).toBe(1)
    expect((await storage()).used_bytes).toBe(1900)
  })
})

describe('a plan', () => {
  it('is returned with its limits', async () => {
    expect((await call('GET', '/v1/plan')).json).toEqual({
      object: 'plan',
      protection: 'clearkey',
      is_active: true,
      ends_at: null,
      storage_limit_bytes: null,
      bandwidth_limit_bytes: null,
      encoding_limit_minutes: null,
      updated_at: expect.any(String),
    })
  })

  it('refuses new videos after its end and keeps the existing ones', async () => {
    const { id, key } = await makeAccount()
    const body = { source_url: t.sourceUrl() }
    const old = await call('POST', '/v1/videos', { body, key })
    await t.db.em
      .fork()
      .execute(`update plan set ends_at = now() - interval '1 second' where account_id = ?`, [id])
    expect(await call('POST', '/v1/videos', { body, key })).toMatchObject({
      status: 422,
      code: 'no_active_plan',
    })
    expect((await call('GET', '/v1/plan', { key })).json.is_active).toBe(false)
    expect((await call('GET', '/v1/account', { key })).json.plan).toBeNull()
    const path = `/v1/videos/${String(old.json.id)}`
    expect((await call('GET', path, { key })).status).toBe(200)
    const token = { body: { viewer_id: 'v' }, key }
    expect((await call('POST', `${path}/playback-tokens`, token)).status).toBe(201)
  })

  it('is not found if the account never had one', async () => {
    const { id, key } = await makeAccount()
    await t.db.em.fork().execute('delete from plan where account_id = ?', [id])
    expect((await call('GET', '/v1/plan', { key })).code).toBe('plan_not_found')
    expect((await call('GET', '/v1/usage', { key })).json.danger_zone).toBe(false)
  })
})
