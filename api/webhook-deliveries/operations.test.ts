import { describe, expect, it } from '@jest/globals'
import { setUpApi } from '../testing/api-world.ts'

const t = setUpApi()
const { call } = t

describe('GET /v1/webhook-deliveries', () => {
  const list = (query: string, key = t.ours.key) =>
    call('GET', `/v1/webhook-deliveries${query}`, { key })

  it('lists newest first, in pages, by its account alone', async () => {
    const body = { url: `${t.outside.baseUrl}/hook`, events: ['video.ready'] }
    expect((await call('POST', '/v1/webhook-endpoints', { body })).status).toBe(201)
    const em = t.db.em.fork()
    await em.execute(
      `insert into event (id, account_id, type, body) values ('evt_1', ?, 'video.ready', '{}')`,
      [t.ours.id],
    )
    await em.execute(
      `insert into webhook_delivery (account_id, endpoint_id, event_id, event_type, status)
       select ?, (select min(id) from webhook_endpoint where account_id = ?), 'evt_1', 'video.ready', 'failed'
       from generate_series(1, 5)`,
      [t.ours.id, t.ours.id],
    )
    const first = await list('?limit=2&status=failed')
    const ids = (answer: typeof first) => (answer.json.data as { id: number }[]).map(({ id }) => id)
    expect(first.json).toMatchObject({
      object: 'list',
      has_more: true,
      url: '/v1/webhook-deliveries',
    })
    const [a = 0, b = 0] = ids(first)
    expect(a).toBeGreaterThan(b)
    const second = await list(`?limit=10&event_id=evt_1&starting_after=${b}`)
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
    ['?endpoint_id=99999999999', 422, 'invalid_parameter'],
    ['?event_id=%00', 422, 'invalid_parameter'],
    ['?status=failed&status=failed', 422, 'invalid_parameter'],
    ['?starting_after=1&ending_before=2', 422, 'invalid_parameter'],
  ])('refuses %s', async (query, status, code) => {
    expect(await list(query)).toMatchObject({ status, code })
  })

  it.each(['0', 'x', '99999999999', '1.5'])('knows no delivery %s', async (id) => {
    expect((await call('GET', `/v1/webhook-deliveries/${id}`)).code).toBe(
      'webhook_delivery_not_found',
    )
  })
})
