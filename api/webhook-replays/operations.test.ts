import { beforeEach, describe, expect, it } from 'vitest'
import { appendEvent } from '../../commands/events.ts'
import { setUpApiFixture } from '../../test/fixtures/api.ts'

const t = setUpApiFixture()
const { call } = t
const PATH = '/v1/webhook-replays'
const HOUR_MS = 3_600_000

let account: { id: number; key: string }
let endpointId: number

const hoursAgo = (hours: number): string => new Date(Date.now() - hours * HOUR_MS).toISOString()
const post = (body: object, headers = {}) => call('POST', PATH, { body, key: account.key, headers })

beforeEach(async () => {
  account = await t.makeAccount()
  const body = { url: `${t.outside.baseUrl}/hook`, events: ['video.ready'] }
  const { json } = await call('POST', '/v1/webhook-endpoints', { body, key: account.key })
  endpointId = Number(json.id)
  const data = { id: 'a'.repeat(20), object: 'video', status: 'ready' } as const
  const event = { accountId: account.id, type: 'video.ready', data } as const
  for (let count = 0; count < 3; count += 1)
    await t.db.em.fork().transactional((tx) => appendEvent(tx, event))
})

describe('POST /v1/webhook-replays', () => {
  it('starts one durable replay of the range and returns its progress', async () => {
    const since = hoursAgo(1)
    const { status, json } = await post({ since, endpoint_id: endpointId })
    expect(status).toBe(202)
    expect(json).toMatchObject({
      object: 'webhook_replay',
      endpoint_id: endpointId,
      status: 'failed',
      state: 'running',
      event_count: 3,
      scanned_count: 0,
      completed_at: null,
      deliveries: { pending: 0, delivered: 0, failed: 0 },
    })
    expect(Date.parse(String(json.since))).toBe(Date.parse(since))
    const commands = await t.db.em.fork()
      .execute(`select subject_id, account_id from outbox where command = 'replay-webhooks'
        order by id desc limit 1`)
    expect(commands).toEqual([{ subject_id: String(json.id), account_id: account.id }])
    expect((await call('GET', `${PATH}/${String(json.id)}`, { key: account.key })).json).toEqual(
      json,
    )
    expect((await call('GET', PATH, { key: account.key })).json.data).toEqual([json])
  })

  it('limits the range to the retention of events and to now', async () => {
    const { json } = await post({ since: '1999-01-01T00:00:00Z', until: '2999-01-01T00:00:00Z' })
    const reachMs = Date.parse(String(json.until)) - Date.parse(String(json.since))
    expect(reachMs).toBe(90 * 24 * HOUR_MS)
    expect(json).toMatchObject({ endpoint_id: null, event_count: 3 })
  })

  it('counts only the events of its range and of its account', async () => {
    const { json } = await post({ since: hoursAgo(2), until: hoursAgo(1) })
    expect(json.event_count).toBe(0)
  })

  it.each([
    [{}, 'invalid_parameter'],
    [{ since: 'yesterday' }, 'invalid_parameter'],
    [{ since: '2026-11-21T09:30:00' }, 'invalid_parameter'],
    [{ since: '2999-01-01T00:00:00Z' }, 'invalid_parameter'],
    [{ since: hoursAgo(1), until: hoursAgo(2) }, 'invalid_parameter'],
    [{ since: hoursAgo(1), status: 'pending' }, 'invalid_parameter'],
    [{ since: hoursAgo(1), endpoint_id: 2_000_000_000 }, 'webhook_endpoint_not_found'],
    [{ since: hoursAgo(1), account_id: 1 }, 'unknown_parameter'],
  ])('refuses %j', async (body, code) => {
    expect((await post(body)).code).toBe(code)
  })

  it('does not replay to an endpoint that is off', async () => {
    const body = { is_active: false }
    await call('PATCH', `/v1/webhook-endpoints/${endpointId}`, { body, key: account.key })
    expect(await post({ since: hoursAgo(1), endpoint_id: endpointId })).toMatchObject({
      status: 409,
      code: 'webhook_endpoint_inactive',
    })
  })

  it('runs one at a time for an account, even for concurrent requests', async () => {
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => post({ since: hoursAgo(1) })),
    )
    expect(responses.filter(({ status }) => status === 202)).toHaveLength(1)
    expect(responses.filter(({ code }) => code === 'webhook_replay_running')).toHaveLength(5)
  })

  it('starts one replay for one Idempotency-Key', async () => {
    const body = { since: hoursAgo(1) }
    const first = await post(body, { 'Idempotency-Key': 'replay-once' })
    const second = await post(body, { 'Idempotency-Key': 'replay-once' })
    expect(second.json).toEqual(first.json)
  })
})

describe('POST /v1/webhook-replays/{id}/cancel', () => {
  it('ends it, and does not change one that has ended', async () => {
    const { json } = await post({ since: hoursAgo(1) })
    const path = `${PATH}/${String(json.id)}/cancel`
    const cancelled = await call('POST', path, { key: account.key })
    expect(cancelled.json).toMatchObject({ state: 'cancelled', completed_at: expect.any(String) })
    expect((await call('POST', path, { key: account.key })).json).toEqual(cancelled.json)
    expect((await post({ since: hoursAgo(1) })).status).toBe(202)
  })

  it('is not found by another account', async () => {
    const { json } = await post({ since: hoursAgo(1) })
    const path = `${PATH}/${String(json.id)}`
    expect((await call('GET', path)).code).toBe('webhook_replay_not_found')
    expect((await call('POST', `${path}/cancel`)).code).toBe('webhook_replay_not_found')
  })
})
