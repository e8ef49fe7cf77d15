import { connect, type Socket } from 'node:net'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { appendEvent } from '../../commands/events.ts'
import { insertWebhookEndpoint } from '../../db/webhooks/write-webhook-endpoints.ts'
import { setUpApiFixture } from '../../test/fixtures/api.ts'
import { until } from '../../test/infrastructure/wait-for.ts'

const t = setUpApiFixture()

const DELIVERIES = 60
/** Of a delivery: five responses of 16 KiB, each byte of which is six in JSON. */
const RESPONSES_BYTES = 5 * 16_384
const PAGE_BYTES = 2 * 2 ** 20

let key: string
let newestFirst: number[]

beforeAll(async () => {
  const em = t.db.em.fork()
  const { id: accountId } = await t.makeAccount()
  key = await t.keyFor(accountId, ['webhooks:read'])
  const data = { id: 'a'.repeat(20), object: 'video', status: 'ready' } as const
  const eventId = await appendEvent(t.db.em.fork(), { accountId, type: 'video.ready', data })
  const facts = { accountId, url: 'https://hooks.example/', sealedSecret: '' }
  const endpoint = await insertWebhookEndpoint(em, { ...facts, events: ['video.ready'] }, 20)
  const rows = await em.execute<{ id: number }[]>(
    `with made as (
       insert into webhook_delivery (account_id, endpoint_id, event_id, event_type)
       select ?, ?, ?, 'video.ready' from generate_series(1, ?::int) returning id
     ), attempts as (
       insert into webhook_attempt (delivery_id, number, started_at, duration_ms, response_status, response_body, timings, response_headers)
       select id, number, now(), 1, 500, repeat(chr(1), 16384), '{}', '{}' from made, generate_series(1, 5) number
     )
     select id from made order by id desc`,
    [accountId, endpoint?.id, eventId, DELIVERIES],
  )
  newestFirst = rows.map(({ id }) => Number(id))
})

async function list(query: string) {
  const { json } = await t.call('GET', `/v1/webhook-deliveries?limit=100${query}`, { key })
  const ids = (json.data as { id: number }[]).map(({ id }) => id)
  return { ids, hasMore: json.has_more }
}

describe('a page of deliveries whose receivers send long responses', () => {
  it('ends before it has more than 2 MiB of them, and the next pages have the others', async () => {
    const first = await list('')
    expect(first.ids.length).toBeLessThanOrEqual(PAGE_BYTES / RESPONSES_BYTES)
    const read = [...first.ids]
    for (let page = first; page.hasMore === true;) {
      page = await list(`&starting_after=${read.at(-1)}`)
      read.push(...page.ids)
    }
    expect(read).toEqual(newestFirst)
  })

  it('begins beside its cursor, also if it is read towards the newest', async () => {
    const read: number[] = []
    let page = await list(`&ending_before=${newestFirst.at(-1)}`)
    read.unshift(...page.ids)
    while (page.hasMore === true) {
      page = await list(`&ending_before=${read[0]}`)
      read.unshift(...page.ids)
    }
    expect(read).toEqual(newestFirst.slice(0, -1))
  })
})

describe('a key that leaves long responses unread', () => {
  const sockets: Socket[] = []
  const disconnect = () => {
    for (const socket of sockets.splice(0)) socket.destroy()
  }
  afterEach(disconnect)

  /** Requests the longest page, and reads nothing of it. */
  function requestUnread(): void {
    const socket = connect(Number(new URL(t.base).port), '127.0.0.1')
    socket.on('error', () => {})
    socket.write(
      `GET /v1/webhook-deliveries?limit=100 HTTP/1.1\r\nHost: api.example\r\nAuthorization: Bearer ${key}\r\n\r\n`,
    )
    sockets.push(socket)
  }

  it('gets no more of them with 429, until it is gone; other accounts do', async () => {
    const read = (of: string) => t.call('GET', '/v1/webhook-deliveries?limit=1', { key: of })
    expect((await read(key)).status).toBe(200)
    for (let count = 0; count < 6; count += 1) requestUnread()
    await until(async () => (await read(key)).status === 429)
    const refused = await read(key)
    expect([refused.code, refused.headers.get('Retry-After')]).toEqual(['rate_limited', '5'])
    expect((await read(t.theirs.key)).status).toBe(200)
    disconnect()
    await until(async () => (await read(key)).status === 200)
  })
})
