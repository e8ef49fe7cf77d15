import { beforeEach, describe, expect, it } from 'vitest'
import { addBandwidth, addEncodedTime } from '../../db/usage.ts'
import { monthStart, utcDay } from '../../domain/timestamps.ts'
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
    const answer = await call('GET', `/v1/usage?${query}`, { key })
    expect(answer).toMatchObject({ status, code })
    expect(answer.json.error?.param).toBe(param)
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
    const answers = await Promise.all(
      Array.from({ length: 6 }, () =>
        call('POST', '/v1/videos', { body: { source_url: t.sourceUrl() }, key }),
      ),
    )
    const codes = answers.map(({ code }) => code)
    expect(codes.filter((code) => code === undefined)).toHaveLength(2)
    expect(codes.filter((code) => code === 'insufficient_storage')).toHaveLength(4)
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
