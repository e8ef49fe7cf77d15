import { beforeAll, describe, expect, it } from 'vitest'
import { appendEvent, appendEventFor } from '../../commands/events.ts'
import { findDeliveryToSend } from '../../db/webhooks/deliveries.ts'
import { unseal } from '../../security/sealing/sealing.ts'
import { endpointSecretContext } from '../../security/sealing/secret-contexts.ts'
import { setUpApiFixture } from '../../test/fixtures/api.ts'

const t = setUpApiFixture()
const { call, makeAccount } = t
const PATH = '/v1/webhook-endpoints'
const url = (): string => `${t.outside.baseUrl}/hook`

/** Creates an endpoint of our account; returns its id and its secret. */
async function create(key = t.ours.key): Promise<{ id: number; secret: string }> {
  const body = { url: url(), events: ['video.ready', 'security.event'] }
  const { json } = await call('POST', PATH, { body, key })
  return { id: Number(json.id), secret: String(json.secret) }
}

async function announce(accountId = t.ours.id): Promise<void> {
  const data = { id: 'a'.repeat(20), object: 'video', status: 'ready' } as const
  await t.db.em
    .fork()
    .transactional((tx) => appendEvent(tx, { accountId, type: 'video.ready', data }))
}

const deliveriesOf = async (endpointId: number) =>
  (await call('GET', `/v1/webhook-deliveries?endpoint_id=${endpointId}`)).json.data as {
    [field: string]: unknown
  }[]

/** The workflow requests, and their deliveries. */
const commands = (subjectId: unknown) =>
  t.db.em
    .fork()
    .execute<{ command: string }[]>('select command from outbox where subject_id = ? order by id', [
      String(subjectId),
    ])

describe('POST /v1/webhook-endpoints', () => {
  const post = (body: object, key = t.ours.key) =>
    call('POST', '/v1/webhook-endpoints', { body, key })

  it('returns the endpoint and, only once, its secret', async () => {
    const { status, json } = await post({ url: url(), events: ['video.ready', 'video.ready'] })
    expect(status).toBe(201)
    expect(json).toMatchObject({
      object: 'webhook_endpoint',
      events: ['video.ready'],
      is_active: true,
      failure_count: 0,
      secret: expect.stringMatching(/^whsec_/),
    })
    const [row] = await t.db.em
      .fork()
      .execute<{ row: string }[]>('select w::text as row from webhook_endpoint w')
    expect(row?.row).not.toContain(String(json.secret))
  })

  it.each([
    [{ events: ['video.ready'] }, 422, 'invalid_parameter'],
    [{ url: 'https://a.example/', events: [] }, 422, 'invalid_parameter'],
    [{ url: 'https://a.example/', events: ['webhook.test'] }, 422, 'unknown_event_type'],
    [{ url: 'https://a.example/', events: ['video.made'] }, 422, 'unknown_event_type'],
    [{ url: 'http://a.example/', events: ['video.ready'] }, 422, 'invalid_webhook_url'],
    [{ url: 'https://a.example:9/', events: ['video.ready'] }, 422, 'invalid_webhook_url'],
    [{ url: 'https://192.168.0.1/', events: ['video.ready'] }, 422, 'webhook_url_not_allowed'],
    [{ url: 'https://nothing.invalid/', events: ['video.ready'] }, 422, 'webhook_url_unreachable'],
    [{ url: 'https://a.example/', events: ['video.ready'], secret: 'x' }, 400, 'unknown_parameter'],
  ])('refuses %j', async (body, status, code) => {
    expect(await post(body)).toMatchObject({ status, code })
  })

  it('accepts at most twenty, even concurrently', async () => {
    const account = await makeAccount()
    const body = { url: url(), events: ['usage.threshold_reached'] }
    const responses = await Promise.all(Array.from({ length: 25 }, () => post(body, account.key)))
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(20)
    expect(responses.filter(({ code }) => code === 'too_many_webhook_endpoints')).toHaveLength(5)
  })
})

describe('GET /v1/webhook-endpoints', () => {
  it('lists only those of the account, newest first, without their secrets', async () => {
    const account = await makeAccount()
    const first = await create(account.key)
    const second = await create(account.key)
    const { json } = await call('GET', PATH, { key: account.key })
    const ids = (json.data as { id: number }[]).map(({ id }) => id)
    expect(ids).toEqual([second.id, first.id])
    expect(JSON.stringify(json)).not.toContain('whsec_')
    const one = await call('GET', `${PATH}/${first.id}`, { key: account.key })
    expect(one.json).toMatchObject({ id: first.id, description: '', disabled_reason: null })
    expect((await call('GET', `${PATH}/${first.id}`)).code).toBe('webhook_endpoint_not_found')
  })
})

describe('PATCH /v1/webhook-endpoints/{id}', () => {
  const patch = (id: number, body: object, key = t.ours.key) =>
    call('PATCH', `${PATH}/${id}`, { body, key })

  it('changes only the given fields', async () => {
    const { id } = await create()
    const before = (await call('GET', `${PATH}/${id}`)).json
    const { status, json } = await patch(id, { events: ['video.failed'], description: 'Library' })
    expect(status).toBe(200)
    expect(json).toEqual({
      ...before,
      events: ['video.failed'],
      description: 'Library',
      updated_at: expect.any(String),
    })
    expect((await patch(id, { url: `${url()}/new` })).json.url).toBe(`${url()}/new`)
  })

  it.each([
    [{ url: 'http://a.example/' }, 'invalid_webhook_url'],
    [{ url: 'https://10.0.0.1/' }, 'webhook_url_not_allowed'],
    [{ url: 'https://nothing.invalid/' }, 'webhook_url_unreachable'],
    [{ events: ['webhook.test'] }, 'unknown_event_type'],
    [{ events: [] }, 'invalid_parameter'],
    [{ is_active: 'yes' }, 'invalid_parameter'],
    [{ description: 'x'.repeat(5001) }, 'invalid_parameter'],
    [{ failure_count: 0 }, 'unknown_parameter'],
  ])('refuses %j and changes nothing', async (body, code) => {
    const { id } = await create()
    const before = (await call('GET', `${PATH}/${id}`)).json
    expect((await patch(id, body)).code).toBe(code)
    expect((await call('GET', `${PATH}/${id}`)).json).toEqual(before)
  })

  it('with is_active false ends pending deliveries and their workflows, except webhook.test', async () => {
    const { id } = await create()
    await announce()
    await call('POST', `${PATH}/${id}/test`)
    const { json } = await patch(id, { is_active: false })
    expect(json).toMatchObject({ is_active: false, disabled_reason: 'owner' })
    const [test, waiting] = await deliveriesOf(id)
    expect(test).toMatchObject({ event_type: 'webhook.test', status: 'pending' })
    expect(waiting).toMatchObject({ status: 'failed', error_code: 'endpoint_disabled' })
    expect(await commands(waiting?.id)).toEqual([
      { command: 'deliver-webhook' },
      { command: 'cancel-delivery' },
    ])
    expect(await commands(test?.id)).toEqual([{ command: 'deliver-webhook' }])
    // An owner who switches it off needs no security event.
    expect((await call('GET', '/v1/security-events')).json.data).toEqual([])
  })

  it('with is_active true activates it again and sets its failure count to 0', async () => {
    const { id } = await create()
    await t.db.em.fork().execute(
      `update webhook_endpoint set is_active = false, disabled_reason = 'failures',
         failure_count = 100, last_success_at = now() - interval '6 days' where id = ?`,
      [id],
    )
    const { json } = await patch(id, { is_active: true })
    expect(json).toMatchObject({ is_active: true, disabled_reason: null, failure_count: 0 })
    const [row] = await t.db.em
      .fork()
      .execute<{ recent: boolean }[]>(
        "select last_success_at > now() - interval '1 hour' as recent from webhook_endpoint where id = ?",
        [id],
      )
    expect(row?.recent).toBe(true)
  })

  it('keeps the count of an endpoint that is already active', async () => {
    const { id } = await create()
    await t.db.em.fork().execute('update webhook_endpoint set failure_count = 7 where id = ?', [id])
    expect((await patch(id, { is_active: true })).json.failure_count).toBe(7)
  })

  it("does not find another account's objects", async () => {
    const { id } = await create()
    expect((await patch(id, { is_active: false }, t.theirs.key)).code).toBe(
      'webhook_endpoint_not_found',
    )
  })
})

describe('DELETE /v1/webhook-endpoints/{id}', () => {
  it('hides it with its deliveries and replays at once, sends nothing, and requests their removal', async () => {
    const { id } = await create()
    await announce()
    const [waiting] = await deliveriesOf(id)
    const range = { since: '2020-01-01T00:00:00Z', endpoint_id: id }
    const replay = await call('POST', '/v1/webhook-replays', { body: range })
    const listed = async () => (await call('GET', PATH)).json.data
    expect(await listed()).toContainEqual(expect.objectContaining({ id }))
    expect((await call('DELETE', `${PATH}/${id}`, { key: t.theirs.key })).code).toBe(
      'webhook_endpoint_not_found',
    )
    const { status, json } = await call('DELETE', `${PATH}/${id}`)
    expect({ status, json }).toEqual({
      status: 200,
      json: { id, object: 'webhook_endpoint', deleted: true },
    })
    expect(await commands(id)).toContainEqual({ command: 'settle-endpoint' })
    expect(await findDeliveryToSend(t.db.em.fork(), Number(waiting?.id))).toBeNull()
    expect(await listed()).not.toContainEqual(expect.objectContaining({ id }))
    expect(await deliveriesOf(id)).toEqual([])
    const deliveries = '/v1/webhook-deliveries'
    const gone: [string, string, object?][] = [
      ['GET', `${deliveries}/${String(waiting?.id)}`],
      ['POST', `${deliveries}/${String(waiting?.id)}/retry`],
      ['GET', `/v1/webhook-replays/${String(replay.json.id)}`],
      ['POST', '/v1/webhook-replays', range],
      ['GET', `${PATH}/${id}`],
      ['PATCH', `${PATH}/${id}`, { is_active: true }],
      ['POST', `${PATH}/${id}/test`],
      ['POST', `${PATH}/${id}/rotate-secret`],
      ['POST', `${PATH}/${id}/expire-previous-secrets`],
      ['DELETE', `${PATH}/${id}`],
    ]
    for (const [method, path, body] of gone)
      expect([method, path, (await call(method, path, { body })).status]).toEqual([
        method,
        path,
        404,
      ])
    const cursors: [string, unknown][] = [
      [deliveries, waiting?.id],
      ['/v1/webhook-replays', replay.json.id],
      [PATH, id],
    ]
    for (const [path, cursor] of cursors)
      expect((await call('GET', `${path}?starting_after=${String(cursor)}`)).status).toBe(200)
    // Its replay has ended, so that another can run.
    const { since } = range
    expect((await call('POST', '/v1/webhook-replays', { body: { since } })).status).toBe(202)
  })

  it('allows another endpoint', async () => {
    const account = await makeAccount()
    const made = []
    for (let count = 0; count < 20; count += 1) made.push(await create(account.key))
    await call('DELETE', `${PATH}/${made[0]?.id}`, { key: account.key })
    expect((await create(account.key)).id).toBeGreaterThan(0)
  })
})

describe('POST /v1/webhook-endpoints/{id}/rotate-secret', () => {
  // A separate account, because an account has at most 20 endpoints.
  let account: Awaited<ReturnType<typeof makeAccount>>
  beforeAll(async () => void (account = await makeAccount()))

  const rotate = (id: number, body: object = {}, headers = {}) =>
    call('POST', `${PATH}/${id}/rotate-secret`, { key: account.key, body, headers })
  const expire = (id: number, key = account.key) =>
    call('POST', `${PATH}/${id}/expire-previous-secrets`, { key })
  const openSecrets = async (id: number) => {
    const delivery = await t.db.em.fork().transactional((tx) =>
      appendEventFor(tx, id, {
        accountId: account.id,
        type: 'webhook.test',
        data: { object: 'test', message: 'A test' },
      }),
    )
    const found = await findDeliveryToSend(t.db.em.fork(), delivery.deliveryId)
    const context = endpointSecretContext(account.id)
    return found?.sealedSecrets.map((sealed) => unseal(t.masterKeys, sealed, context).toString())
  }

  it('signs only with the new secret, because the contract defines one v1', async () => {
    const { id, secret } = await create(account.key)
    const { status, json } = await call('POST', `${PATH}/${id}/rotate-secret`, { key: account.key })
    expect(status).toBe(200)
    expect(json.secret).toMatch(/^whsec_/)
    expect(json.secret).not.toBe(secret)
    expect(json.previous_secret_expires_at).toBeNull()
    expect(await openSecrets(id)).toEqual([json.secret])
  })

  it('also signs with the old secret for overlap_seconds', async () => {
    const { id, secret } = await create(account.key)
    const { json } = await rotate(id, { overlap_seconds: 86_400 })
    const endsInMs = Date.parse(String(json.previous_secret_expires_at)) - Date.now()
    expect(Math.abs(endsInMs - 24 * 3_600_000)).toBeLessThan(60_000)
    expect(await openSecrets(id)).toEqual([json.secret, secret])
    const { json: shown } = await call('GET', `${PATH}/${id}`, { key: account.key })
    expect(shown.previous_secret_expires_at).toBe(json.previous_secret_expires_at)
  })

  it.each([-1, 86_401, 0.5, '3600', null])(
    'refuses the overlap %j and keeps the secret',
    async (overlap_seconds) => {
      const { id, secret } = await create(account.key)
      expect(await rotate(id, { overlap_seconds })).toMatchObject({
        status: 422,
        code: 'invalid_parameter',
      })
      expect(await openSecrets(id)).toEqual([secret])
    },
  )

  it('keeps the first secret after two rotations, and at most five in total', async () => {
    const { id, secret } = await create(account.key)
    const secrets = [secret]
    for (let time = 0; time < 6; time += 1)
      secrets.unshift(String((await rotate(id, { overlap_seconds: 3600 })).json.secret))
    expect(await openSecrets(id)).toEqual(secrets.slice(0, 5))
  })

  it('returns the end of the longest overlap when a later rotation requests a shorter one', async () => {
    const { id } = await create(account.key)
    const long = await rotate(id, { overlap_seconds: 3600 })
    const short = await rotate(id, { overlap_seconds: 60 })
    expect(short.json.previous_secret_expires_at).toBe(long.json.previous_secret_expires_at)
  })

  it('ends earlier overlaps when it requests none', async () => {
    const { id } = await create(account.key)
    await rotate(id, { overlap_seconds: 3600 })
    const { json } = await rotate(id, { overlap_seconds: 0 })
    expect(json.previous_secret_expires_at).toBeNull()
    expect(await openSecrets(id)).toEqual([json.secret])
  })

  it('can end its overlap early, repeatedly', async () => {
    const { id } = await create(account.key)
    const { json } = await rotate(id, { overlap_seconds: 3600 })
    for (let time = 0; time < 2; time += 1)
      expect(await expire(id)).toMatchObject({
        status: 200,
        json: { id, object: 'webhook_endpoint', previous_secret_expires_at: null },
      })
    expect(await openSecrets(id)).toEqual([json.secret])
    expect((await expire(id)).json).not.toHaveProperty('secret')
    expect((await expire(id, t.theirs.key)).code).toBe('webhook_endpoint_not_found')
  })

  it('runs once for one Idempotency-Key, and stores no secret unsealed', async () => {
    const { id } = await create(account.key)
    const headers = { 'Idempotency-Key': 'rotate-once' }
    const first = await rotate(id, {}, headers)
    expect((await rotate(id, {}, headers)).json).toEqual(first.json)
    const rows = await t.db.em
      .fork()
      .execute<{ row: string }[]>(
        'select r::text as row from idempotency_record r union all select e::text from webhook_endpoint e',
      )
    expect(rows.map(({ row }) => row).join()).not.toContain(String(first.json.secret))
  })

  it("does not find another account's objects", async () => {
    const { id } = await create(account.key)
    const response = await call('POST', `${PATH}/${id}/rotate-secret`, { key: t.theirs.key })
    expect(response.code).toBe('webhook_endpoint_not_found')
  })
})

describe('POST /v1/webhook-endpoints/{id}/test', () => {
  it('queues webhook.test regardless of subscriptions, even while the endpoint is off', async () => {
    const { id } = await create()
    await call('PATCH', `${PATH}/${id}`, { body: { is_active: false } })
    const { status, json } = await call('POST', `${PATH}/${id}/test`)
    expect(status).toBe(202)
    expect(json).toMatchObject({ endpoint_id: id, event_type: 'webhook.test', status: 'pending' })
    expect(await commands(json.id)).toEqual([{ command: 'deliver-webhook' }])
    const [event] = await t.db.em
      .fork()
      .execute<{ body: string }[]>('select body from event where id = ?', [String(json.event_id)])
    expect(JSON.parse(event?.body ?? '')).toMatchObject({
      type: 'webhook.test',
      data: { object: 'test', message: expect.any(String) },
    })
  })

  it('queues one delivery for one Idempotency-Key', async () => {
    const { id } = await create()
    const headers = { 'Idempotency-Key': 'test-once' }
    const first = await call('POST', `${PATH}/${id}/test`, { headers })
    expect((await call('POST', `${PATH}/${id}/test`, { headers })).json).toEqual(first.json)
    expect(await deliveriesOf(id)).toHaveLength(1)
  })
})
