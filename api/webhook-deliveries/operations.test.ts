import { beforeEach, describe, expect, it } from 'vitest'
import { appendEvent } from '../../commands/events.ts'
import { exactlyOne } from '../../db/queries.ts'
import { recordAttempt } from '../../db/webhooks/write-deliveries.ts'
import { setUpApiFixture } from '../../test/fixtures/api.ts'

const t = setUpApiFixture()
const { call } = t

describe('GET /v1/webhook-deliveries', () => {
  const list = (query: string, key = t.ours.key) =>
    call('GET', `/v1/webhook-deliveries${query}`, { key })

  it('lists newest first, in pages, only those of the account', async () => {
    const em = t.db.em.fork()
    const eventId = await appendEvent(em, {
      accountId: t.ours.id,
      type: 'video.ready',
      data: { id: 'a'.repeat(20), object: 'video', status: 'ready' },
    })
    const body = { url: `${t.outside.baseUrl}/hook`, events: ['video.ready'] }
    expect((await call('POST', '/v1/webhook-endpoints', { body })).status).toBe(201)
    await em.execute(
      `insert into webhook_delivery (account_id, endpoint_id, event_id, event_type, status)
       select ?, (select min(id) from webhook_endpoint where account_id = ?), ?, 'video.ready', 'failed'
       from generate_series(1, 5)`,
      [t.ours.id, t.ours.id, eventId],
    )
    const first = await list('?limit=2&status=failed')
    const ids = (response: typeof first) =>
      (response.json.data as { id: number }[]).map(({ id }) => id)
    expect(first.json).toMatchObject({
      object: 'list',
      has_more: true,
      url: '/v1/webhook-deliveries',
    })
    const [a = 0, b = 0] = ids(first)
    expect(a).toBeGreaterThan(b)
    const second = await list(`?limit=10&event_id=${eventId}&starting_after=${b}`)
    expect(ids(second)).toHaveLength(3)
    expect(second.json.has_more).toBe(false)
    expect(ids(await list(`?limit=2&ending_before=${String(ids(second).at(0))}`))).toEqual([a, b])
    expect((await call('GET', `/v1/webhook-deliveries/${a}`)).json).toMatchObject({
      id: a,
      attempts: [],
    })
    expect((await list('', t.theirs.key)).json.data).toEqual([])
    expect((await call('GET', `/v1/webhook-deliveries/${a}`, { key: t.theirs.key })).code).toBe(
      'webhook_delivery_not_found',
    )
  })

  it.each([
    ['?state=failed', 400, 'unknown_parameter'],
    ['?status=late', 422, 'invalid_parameter'],
    ['?limit=0', 422, 'invalid_parameter'],
    ['?limit=101', 422, 'invalid_parameter'],
    ['?limit=x', 422, 'invalid_parameter'],
    ['?endpoint_id=9007199254740992', 422, 'invalid_parameter'],
    ['?event_id=%00', 422, 'invalid_parameter'],
    ['?event_type=video.made', 422, 'invalid_parameter'],
    ['?since=yesterday', 422, 'invalid_parameter'],
    ['?until=0000-01-01T00:00:00Z', 422, 'invalid_parameter'],
    ['?status=failed&status=failed', 422, 'invalid_parameter'],
    ['?starting_after=1&ending_before=2', 422, 'invalid_parameter'],
  ])('refuses %s', async (query, status, code) => {
    expect(await list(query)).toMatchObject({ status, code })
  })

  it.each(['0', 'x', '9007199254740991', '99999999999999999999', '1.5'])(
    'does not find a delivery %s',
    async (id) => {
      expect((await call('GET', `/v1/webhook-deliveries/${id}`)).code).toBe(
        'webhook_delivery_not_found',
      )
    },
  )
})

describe('a delivery of a separate account', () => {
  let key: string
  let endpointId: number
  let deliveryId: number

  const get = async (id: number) =>
    (await call('GET', `/v1/webhook-deliveries/${id}`, { key })).json
  const retry = (id: number, headers = {}) =>
    call('POST', `/v1/webhook-deliveries/${id}/retry`, { key, headers })
  const execute = (sql: string, parameters: unknown[]) =>
    t.db.em.fork().execute<{ command: string }[]>(sql, parameters)
  const set = (fields: string) =>
    execute(`update webhook_delivery set ${fields} where id = ?`, [deliveryId])
  const commands = (id: unknown) =>
    execute('select command from outbox where subject_id = ? order by id', [String(id)])

  beforeEach(async () => {
    const account = await t.makeAccount()
    key = account.key
    const body = { url: `${t.outside.baseUrl}/hook`, events: ['video.ready'] }
    endpointId = Number((await call('POST', '/v1/webhook-endpoints', { body, key })).json.id)
    const data = { id: 'a'.repeat(20), object: 'video', status: 'ready' } as const
    await t.db.em
      .fork()
      .transactional((tx) => appendEvent(tx, { accountId: account.id, type: 'video.ready', data }))
    const { json } = await call('GET', '/v1/webhook-deliveries', { key })
    deliveryId = exactlyOne(json.data as { id: number }[]).id
  })

  it('is found by event type, by the delivery that it repeats and by creation time', async () => {
    await set("status = 'failed', completed_at = now()")
    const repeated = Number((await retry(deliveryId)).json.id)
    const now = encodeURIComponent(new Date(Date.now() + 60_000).toISOString())
    const found = async (query: string) =>
      (
        (await call('GET', `/v1/webhook-deliveries?${query}`, { key })).json.data as {
          id: number
        }[]
      ).map(({ id }) => id)
    expect(await found('event_type=video.ready')).toEqual([repeated, deliveryId])
    expect(await found('event_type=video.failed')).toEqual([])
    expect(await found(`retry_of=${deliveryId}`)).toEqual([repeated])
    expect(await found('replay_id=1')).toEqual([])
    expect(await found(`until=${now}`)).toEqual([repeated, deliveryId])
    expect(await found(`since=${now}`)).toEqual([])
    // As a response has it, so the `+` of its offset arrives as a space.
    const { json } = await call('GET', `/v1/webhook-deliveries/${deliveryId}`, { key })
    expect(String(json.created_at)).toContain('+')
    expect(await found(`since=${String(json.created_at)}`)).toEqual([repeated, deliveryId])
  })

  it('is attempted now if it waits for its next attempt', async () => {
    await set("attempt_count = 1, next_retry_at = now() + interval '5 minutes'")
    const { status, json } = await retry(deliveryId)
    expect(status).toBe(202)
    expect(json).toMatchObject({ id: deliveryId, status: 'pending', retry_of: null })
    expect(await commands(deliveryId)).toEqual([
      { command: 'deliver-webhook' },
      { command: 'retry-delivery' },
    ])
  })

  it('signals its workflow once until the requested attempt is recorded', async () => {
    await set("attempt_count = 1, next_retry_at = now() + interval '5 minutes'")
    for (let count = 0; count < 5; count += 1) expect((await retry(deliveryId)).status).toBe(202)
    const signals = async () =>
      (await commands(deliveryId)).filter(({ command }) => command === 'retry-delivery').length
    expect(await signals()).toBe(1)
    await recordAttempt(t.db.em.fork(), {
      deliveryId,
      endpointId,
      number: 2,
      trigger: 'manual',
      startedAt: new Date(),
      durationMs: 1,
      responseStatus: 500,
      errorCode: 'http_error',
      responseHeaders: {},
      errorCause: null,
      errorMessage: null,
      responseBody: null,
      responseEncoding: null,
      remoteIp: null,
      timings: {},
      status: 'pending',
      waitMs: null,
    })
    await retry(deliveryId)
    expect(await signals()).toBe(2)
    // A request that was lost blocks no other for longer.
    await set("retry_requested_at = now() - interval '11 minutes'")
    await retry(deliveryId)
    expect(await signals()).toBe(3)
  })

  it('gets at most 20 manual attempts while it waits', async () => {
    await set("attempt_count = 21, next_retry_at = now() + interval '5 minutes'")
    const add = (from: number, to: number) =>
      execute(
        `insert into webhook_attempt (delivery_id, number, trigger, started_at, duration_ms, timings,
           response_headers)
         select ?, n, 'manual', now(), 1, '{}', '{}' from generate_series(?::int, ?::int) n`,
        [deliveryId, from, to],
      )
    await add(2, 20)
    expect((await retry(deliveryId)).status).toBe(202)
    await add(21, 21)
    expect(await retry(deliveryId)).toMatchObject({ status: 409, code: 'too_many_webhook_retries' })
  })

  it('is not retried if its attempt is already due', async () => {
    expect((await retry(deliveryId)).json.id).toBe(deliveryId)
    expect(await commands(deliveryId)).toEqual([{ command: 'deliver-webhook' }])
  })

  it.each(['failed', 'delivered'])(
    'that is %s is sent again as a new delivery of the same event',
    async (status) => {
      await set(`status = '${status}', attempt_count = 5, completed_at = now()`)
      const { json } = await retry(deliveryId)
      expect(json).toMatchObject({
        endpoint_id: endpointId,
        event_id: (await get(deliveryId)).event_id,
        status: 'pending',
        attempt_count: 0,
        retry_of: deliveryId,
      })
      expect(json.id).not.toBe(deliveryId)
      expect(await get(deliveryId)).toMatchObject({ status, attempt_count: 5 })
      expect(await commands(json.id)).toEqual([{ command: 'deliver-webhook' }])
    },
  )

  it('is repeated once for any number of concurrent requests', async () => {
    await set("status = 'failed', completed_at = now()")
    const responses = await Promise.all(Array.from({ length: 8 }, () => retry(deliveryId)))
    expect(new Set(responses.map(({ json }) => json.id)).size).toBe(1)
  })

  it('is not repeated while its endpoint is off, except webhook.test', async () => {
    await set("status = 'failed', completed_at = now()")
    await call('PATCH', `/v1/webhook-endpoints/${endpointId}`, { body: { is_active: false }, key })
    expect(await retry(deliveryId)).toMatchObject({
      status: 409,
      code: 'webhook_endpoint_inactive',
    })
    await set("event_type = 'webhook.test'")
    expect((await retry(deliveryId)).status).toBe(202)
  })

  it('is not found by another account', async () => {
    const path = `/v1/webhook-deliveries/${deliveryId}/retry`
    expect((await call('POST', path)).code).toBe('webhook_delivery_not_found')
  })
})
