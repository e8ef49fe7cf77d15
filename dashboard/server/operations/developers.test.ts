import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { appendEvent } from '../../../commands/events.ts'
import { appendReplayBatch } from '../../../commands/webhooks/append-replay-batch.ts'
import { createEndpoint } from '../../../commands/webhooks/endpoints.ts'
import { setUpDashboardFixture } from '../../../test/fixtures/dashboard.ts'
import { replaySettled } from '../../../test/fixtures/replays.ts'

const t = setUpDashboardFixture()

const hourAgo = (): string => new Date(Date.now() - 3_600_000).toISOString()

async function insertEndpoint(accountId: number): Promise<number> {
  const facts = { accountId, url: 'https://site.example/hook', description: '' }
  const made = await t
    .em()
    .transactional((tx) => createEndpoint(tx, t.masterKeys, { ...facts, events: ['video.ready'] }))
  return made.endpoint.id
}

/** Appends an event, whose deliveries then have this status; null leaves none. */
async function announce(accountId: number, status: string | null): Promise<void> {
  const data = { id: 'a'.repeat(20), object: 'video', status: 'ready' } as const
  const eventId = await t
    .em()
    .transactional((tx) => appendEvent(tx, { accountId, type: 'video.ready', data }))
  if (status === null)
    return void (await t.execute('delete from webhook_delivery where event_id = ?', [eventId]))
  await t.execute('update webhook_delivery set status = ? where event_id = ?', [status, eventId])
}

describe('GET /addresses', () => {
  it('names the account and the addresses that code samples contain', async () => {
    const { json } = await t.call('reader', 'GET', '/addresses')
    expect(json).toEqual({
      object: 'addresses',
      account_id: t.accountId,
      api_url: 'https://api.example',
      embed_url: 'https://play.example',
    })
  })
})

describe('GET /webhook-replay-preview', () => {
  it('counts what a replay of the same range then sends, of this account alone', async () => {
    const endpointId = await insertEndpoint(t.accountId)
    await insertEndpoint(t.otherAccountId)
    await announce(t.otherAccountId, 'failed')
    for (const status of ['failed', 'failed', 'delivered', 'pending', null])
      await announce(t.accountId, status)
    const count = async (status: string) => {
      const search = new URLSearchParams({ since: hourAgo(), status })
      return (await t.call('editor', 'GET', `/webhook-replay-preview?${search.toString()}`)).json
    }
    const failed = await count('failed')
    expect(failed).toMatchObject({
      endpoint_id: null,
      event_count: 5,
      delivery_count: 2,
      is_complete: true,
    })
    expect(await count('delivered')).toMatchObject({ delivery_count: 1 })
    expect(await count('missing')).toMatchObject({ delivery_count: 1 })
    const { since, until } = failed
    const body = { since, until, endpoint_id: endpointId }
    const made = await t.call('editor', 'POST', '/v1/webhook-replays', { body })
    const limits = { events: 100, waiting: 100 }
    await replaySettled(t.em(), Number(made.json.id))
    await appendReplayBatch(t.em(), Number(made.json.id), limits)
    const replay = await t.call('reader', 'GET', `/v1/webhook-replays/${String(made.json.id)}`)
    expect(replay.json).toMatchObject({ scanned_count: 5, deliveries: { pending: 2 } })
    // They wait now, so another replay would send nothing.
    expect(await count('failed')).toMatchObject({ delivery_count: 0 })
  })

  it.each([
    ['an empty range', { since: '2999-01-01T00:00:00Z' }, 422, 'invalid_parameter'],
    [
      'an unknown endpoint',
      { since: hourAgo(), endpoint_id: '999' },
      404,
      'webhook_endpoint_not_found',
    ],
  ])('refuses %s', async (_what, query, status, code) => {
    const search = new URLSearchParams(query)
    const response = await t.call('editor', 'GET', `/webhook-replay-preview?${search.toString()}`)
    expect(response).toMatchObject({ status, code })
  })

  it('refuses an endpoint of another account and one that is off', async () => {
    const theirs = await insertEndpoint(t.otherAccountId)
    const preview = (id: number) => {
      const search = new URLSearchParams({ since: hourAgo(), endpoint_id: String(id) })
      return t.call('editor', 'GET', `/webhook-replay-preview?${search.toString()}`)
    }
    expect((await preview(theirs)).code).toBe('webhook_endpoint_not_found')
    const ours = await insertEndpoint(t.accountId)
    const off = { body: { is_active: false } }
    await t.call('editor', 'PATCH', `/v1/webhook-endpoints/${ours}`, off)
    expect((await preview(ours)).code).toBe('webhook_endpoint_inactive')
  })
})

describe('GET /webhook-deliveries', () => {
  it('says how the last attempt of each ended, and carries no response of a receiver', async () => {
    const accountId = t.otherAccountId
    await announce(accountId, 'failed')
    await announce(accountId, 'pending')
    const list = async (query = '') =>
      (await t.call('stranger', 'GET', `/webhook-deliveries${query}`, { accountId })).json
    const { data: before } = await list()
    const ids = z
      .array(z.looseObject({ id: z.int() }))
      .parse(before)
      .map(({ id }) => id)
    await t.execute(
      `insert into webhook_attempt (delivery_id, number, started_at, duration_ms, response_status,
         error_code, response_body, timings, response_headers)
       select ?::bigint, n, now(), 1, case when n = 2 then 503 end, case when n = 1 then 'timeout' end,
         repeat('x', 16384), '{}', '{}' from generate_series(1, 2) n`,
      [ids[1]],
    )
    const after = await list()
    expect(z.array(z.unknown()).parse(after.data).slice(0, 2)).toMatchObject([
      { id: ids[0], last_response_status: null, last_error_code: null },
      { id: ids[1], last_response_status: 503, last_error_code: null },
    ])
    expect(JSON.stringify(after)).not.toContain('xxx')
    expect((await list('?status=pending&limit=1')).data).toMatchObject([{ id: ids[0] }])
  })
})

describe('POST /webhook-endpoints/{id}/secret-check', () => {
  it('tells whether a secret is the current one, and stores and logs none', async () => {
    const body = { url: 'https://127.0.0.1/hook', events: ['video.ready'] }
    const { json } = await t.call('owner', 'POST', '/v1/webhook-endpoints', { body })
    const isCurrent = async (secret: unknown) => {
      const path = `/webhook-endpoints/${String(json.id)}/secret-check`
      const headers = { 'Idempotency-Key': crypto.randomUUID() }
      const options = { body: { secret }, headers, isStale: true }
      return (await t.call('editor', 'POST', path, options)).json.is_current
    }
    expect(await isCurrent(json.secret)).toBe(true)
    expect(await isCurrent('whsec_another')).toBe(false)
    const path = `/v1/webhook-endpoints/${String(json.id)}/rotate-secret`
    const rotated = await t.call('owner', 'POST', path, { body: { overlap_seconds: 3_600 } })
    expect(await isCurrent(json.secret)).toBe(false)
    expect(await isCurrent(rotated.json.secret)).toBe(true)
    expect(t.logged()).not.toContain(String(rotated.json.secret))
    const keys = await t.execute(
      `select 1 from idempotency_record where route like '%secret-check%'`,
    )
    expect(keys).toEqual([])
  })
})
