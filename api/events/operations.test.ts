import { describe, expect, it } from 'vitest'
import { appendEvent, appendEventFor } from '../../commands/events.ts'
import { Event } from '../../db/entities/event.ts'
import { setUpApiFixture } from '../../test/fixtures/api.ts'
import { waitFor } from '../../test/infrastructure/wait-for.ts'

const t = setUpApiFixture()
const { call } = t

const em = () => t.db.em.fork()
const append = (accountId: number, tx = em()) =>
  appendEvent(tx, {
    accountId,
    type: 'video.deleted',
    data: { id: 'a'.repeat(20), object: 'video' },
  })
const fail = (accountId: number) =>
  appendEvent(em(), {
    accountId,
    type: 'video.failed',
    data: { id: 'a'.repeat(20), object: 'video', status: 'failed', error: 'It broke.' },
  })
const list = (key: string, query = '') => call('GET', `/v1/events${query}`, { key })
const listedIds = ({ json }: Awaited<ReturnType<typeof list>>) =>
  (json.data as { id: string }[]).map(({ id }) => id)
/** Waits, because no event appears while an older transaction of the server is open, such as another test's. */
const shown = (key: string, id: string) =>
  waitFor(`${id} in the list`, async () => listedIds(await list(key, '?limit=100')).includes(id))

describe('GET /v1/events', () => {
  it('lists the envelopes of the account newest first, even without a subscriber', async () => {
    const { id, key } = await t.makeAccount()
    const ids = [await append(id), await fail(id), await append(id)]
    await shown(key, ids[2] ?? '')
    const response = await list(key)
    expect(response.json).toMatchObject({ object: 'list', has_more: false, url: '/v1/events' })
    expect(listedIds(response)).toEqual(ids.toReversed())
    const rows = await em().find(Event, { id: { $in: ids } })
    const data = response.json.data as { id: string }[]
    for (const event of data)
      expect(JSON.stringify(event)).toBe(rows.find((row) => row.id === event.id)?.body)
  })

  it('lists only the events of the account', async () => {
    const [ours, theirs] = [await t.makeAccount(), await t.makeAccount()]
    const eventId = await append(theirs.id)
    await shown(theirs.key, eventId)
    expect(listedIds(await list(ours.key))).toEqual([])
    expect(await list(ours.key, `?starting_after=${eventId}`)).toMatchObject({
      status: 422,
      code: 'invalid_parameter',
      json: { error: { param: 'starting_after' } },
    })
  })

  it('includes the event of the test endpoint', async () => {
    const { id: accountId, key } = await t.makeAccount()
    const body = { url: `${t.outside.baseUrl}/hook`, events: ['video.ready'] }
    const endpoint = await call('POST', '/v1/webhook-endpoints', { body, key })
    const { eventId } = await appendEventFor(em(), Number(endpoint.json.id), {
      accountId,
      type: 'webhook.test',
      data: { object: 'test', message: 'A test' },
    })
    await shown(key, eventId)
    expect((await list(key)).json.data).toMatchObject([{ id: eventId, type: 'webhook.test' }])
  })

  it('returns pages in both directions', async () => {
    const { id, key } = await t.makeAccount()
    const ids: string[] = []
    for (let count = 0; count < 5; count += 1) ids.unshift(await append(id))
    await shown(key, ids[0] ?? '')
    const first = await list(key, '?limit=2')
    expect([listedIds(first), first.json.has_more]).toEqual([ids.slice(0, 2), true])
    const last = await list(key, `?limit=3&starting_after=${ids[1]}`)
    expect([listedIds(last), last.json.has_more]).toEqual([ids.slice(2), false])
    const newer = await list(key, `?limit=2&ending_before=${ids[4]}`)
    expect([listedIds(newer), newer.json.has_more]).toEqual([ids.slice(2, 4), true])
    const newest = await list(key, `?limit=2&ending_before=${ids[2]}`)
    expect([listedIds(newest), newest.json.has_more]).toEqual([ids.slice(0, 2), false])
  })

  it('filters by type, after a cursor of any type', async () => {
    const { id, key } = await t.makeAccount()
    const [first, failed, last] = [await append(id), await fail(id), await append(id)]
    await shown(key, last)
    expect(listedIds(await list(key, '?type=video.failed'))).toEqual([failed])
    expect(listedIds(await list(key, `?type=video.failed&ending_before=${first}`))).toEqual([
      failed,
    ])
    expect(listedIds(await list(key, `?type=video.deleted&ending_before=${failed}`))).toEqual([
      last,
    ])
    expect(listedIds(await list(key, '?type=payment.paid'))).toEqual([])
  })

  it.each([
    ['?type=video.made', 422, 'invalid_parameter'],
    ['?kind=video.ready', 400, 'unknown_parameter'],
    ['?wait_seconds=26', 422, 'invalid_parameter'],
    ['?wait_seconds=-1', 422, 'invalid_parameter'],
    ['?wait_seconds=1.5', 422, 'invalid_parameter'],
    ['?starting_after=evt_1', 422, 'invalid_parameter'],
    [`?ending_before=evt_${'0'.repeat(32)}`, 422, 'invalid_parameter'],
  ])('refuses %s', async (query, status, code) => {
    expect(await list(t.ours.key, query)).toMatchObject({ status, code })
  })

  it('requires the scope webhooks:read', async () => {
    const key = await t.keyFor(t.ours.id, ['account:read', 'videos:read'])
    expect((await list(key)).code).toBe('insufficient_scope')
  })
})

describe('GET /v1/events/{id}', () => {
  it('returns the event as soon as it is committed', async () => {
    const id = await append(t.ours.id)
    const { json } = await call('GET', `/v1/events/${id}`)
    expect(json).toMatchObject({ id, type: 'video.deleted', data: { object: 'video' } })
  })

  it.each(['evt_1', `evt_${'0'.repeat(32)}`, '1'])('does not find an event %s', async (id) => {
    expect(await call('GET', `/v1/events/${id}`)).toMatchObject({
      status: 404,
      code: 'event_not_found',
    })
  })

  it("does not find another account's objects", async () => {
    const id = await append(t.theirs.id)
    expect((await call('GET', `/v1/events/${id}`)).code).toBe('event_not_found')
  })
})
