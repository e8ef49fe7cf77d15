import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { httpDuration, httpRequests } from '../metrics/http.ts'
import { setUpApiFixture } from '../test/fixtures/api.ts'
import { followAlert } from '../test/infrastructure/follow-alert.ts'
import { waitFor } from '../test/infrastructure/wait-for.ts'
import { OPERATIONS } from './operations.ts'

const t = setUpApiFixture()
const { call } = t

/** The log line of a request that has ended. */
async function lineOf(requestId: string | null): Promise<Record<string, unknown>> {
  const linesOfRequest = () => t.logLines.filter((line) => line.includes(requestId ?? ''))
  await waitFor('the line', async () => linesOfRequest().length > 0)
  expect(linesOfRequest()).toHaveLength(1)
  return JSON.parse(linesOfRequest()[0] ?? '') as Record<string, unknown>
}

it.each([
  ['GET', '/v1/videos/00000000000000000000', undefined, 404, '/v1/videos/:id'],
  ['POST', '/v1/videos', { source_url: 'https://127.0.0.1:1/?sig=s3cret' }, 422, '/v1/videos'],
  ['GET', '/v1/usage?start=s3cret', undefined, 422, '/v1/usage'],
  ['DELETE', '/v1/account', undefined, 405, '/v1/account'],
  ['GET', '/v1/s3cret', undefined, 404, null],
  ['GET', '/v1/account', undefined, 200, '/v1/account'],
])(
  '%s %s leaves one line with its Request-Id, and none of its content',
  async (method, path, body, status, route) => {
    const { headers } = await call(method, path, body && { body })
    const line = await lineOf(headers.get('request-id'))
    expect(line).toMatchObject({
      level: 30,
      msg: 'request',
      requestId: headers.get('request-id'),
      method,
      route,
      status,
      durationMs: expect.any(Number),
      accountId: t.ours.id,
      keyId: expect.any(Number),
    })
    expect(line).not.toHaveProperty('clientRequestId')
    expect(JSON.stringify(line)).not.toMatch(new RegExp(`s3cret|${t.ours.key}`))
  },
)

it('counts requests by operation and status, and never by what a client wrote', async () => {
  const countOf = async (operation: string, status: string) => {
    const { values } = await httpRequests.get()
    const isIt = ({ labels }: (typeof values)[number]) =>
      labels.operation === operation && labels.status === status
    return values.find(isIt)?.value ?? 0
  }
  const operationsNow = async () => {
    const counted = [...(await httpRequests.get()).values, ...(await httpDuration.get()).values]
    return new Set(counted.map(({ labels }) => labels.operation))
  }
  // Other servers of this process count too.
  const earlier = await operationsNow()
  const before = await countOf('getVideo', '404')
  for (const id of ['0', '1', '2']) await call('GET', `/v1/videos/${id.repeat(20)}`)
  await call('GET', '/v1/nothing/s3cret')
  await call('GET', '/v1/videos/s3cret')
  const ending = async () => (await countOf('getVideo', '404')) === before + 4
  await waitFor('the end of the requests', ending)
  const known = new Set(['none', ...OPERATIONS.map(({ id }) => id), ...earlier])
  expect([...(await operationsNow())].filter((one) => !known.has(String(one)))).toEqual([])
})

it('records the Request-Id with the video, event and workflow request that it causes', async () => {
  const { makeAccount, sourceUrl } = t
  const { id: accountId, key } = await makeAccount()
  const body = { url: `${t.outside.baseUrl}/hook`, events: ['video.deleted'] }
  await call('POST', '/v1/webhook-endpoints', { body, key })
  const read = async (sql: string) => t.db.em.fork().execute(sql, [accountId])
  const commands = () =>
    read(`select command, request_id from outbox where account_id = ? order by id`)
  for (const headers of [{}, { 'Idempotency-Key': 'once' }]) {
    await read('delete from outbox where account_id = ?')
    const made = await call('POST', '/v1/videos', {
      body: { source_url: sourceUrl() },
      key,
      headers,
    })
    const createdBy = made.headers.get('request-id')
    expect(await commands()).toEqual([{ command: 'ingest-video', request_id: createdBy }])
    const path = `/v1/videos/${String(made.json.id)}`
    const deletedBy = (await call('DELETE', path, { key })).headers.get('request-id')
    expect((await commands()).slice(1)).toEqual([
      { command: 'deliver-webhook', request_id: deletedBy },
      { command: 'delete-video', request_id: deletedBy },
    ])
    expect(
      await read('select request_id from video where account_id = ? order by created_at desc'),
    ).toContainEqual({ request_id: createdBy })
    expect(await read('select request_id from event where account_id = ?')).toContainEqual({
      request_id: deletedBy,
    })
  }
})

it('logs a request without a key without an account', async () => {
  const { headers } = await call('GET', '/v1/account', { key: null })
  const line = await lineOf(headers.get('request-id'))
  expect(line).toMatchObject({ status: 401, route: null })
  expect(line).not.toHaveProperty('accountId')
})

it('logs a valid Request-Id of the client in addition to the internal one, and never replaces it', async () => {
  const ask = async (id: string) => {
    const { headers } = await call('GET', '/v1/account', { headers: { 'Request-Id': id } })
    expect(headers.get('request-id')).toMatch(/^req_[0-9a-f]{32}$/)
    return lineOf(headers.get('request-id'))
  }
  expect(await ask('shop-42:a.b')).toMatchObject({ clientRequestId: 'shop-42:a.b' })
  for (const id of ['x'.repeat(129), 'a b', '{"level":60}'])
    expect(await ask(id)).not.toHaveProperty('clientRequestId')
})

it('leads from the alerts on failing requests and on used ids to the error of a request', async () => {
  const alter = (more: string) => t.db.em.fork().execute(`alter sequence folder_id_seq ${more}`)
  const [{ last } = { last: '' }] = await t.db.em
    .fork()
    .execute<{ last: string }[]>(`select nextval('folder_id_seq') as last`)
  await alter(`maxvalue ${last}`)
  const { status, headers } = await call('POST', '/v1/folders', { body: { name: 'Lessons' } })
  await alter('no maxvalue')
  expect(status).toBe(500)
  const requestId = headers.get('request-id') ?? ''
  const isLogged = () =>
    t.logLines.some((line) => /"status":500/.test(line) && line.includes(requestId))
  await waitFor('the end of the request', async () => isLogged())
  const words = { PROCESS: 'api', REQUEST_ID: (line: string) => /req_\w+/.exec(line)?.[0] ?? '' }
  const logs = { api: t.logLines }
  const found = [
    await followAlert('ReelgateServerErrors', logs, words),
    await followAlert('ReelgateIdsRunOut', logs),
  ]
  for (const lines of found) {
    expect(lines).toContain(`"code":"2200H"`)
    expect(lines).toContain(requestId)
  }
})

it('logs that the client aborted a request', async () => {
  const { hostname, port } = new URL(t.base)
  const { id, key } = await t.makeAccount()
  const socket = connect(Number(port), hostname)
  const head = [
    'GET /v1/events?wait_seconds=25 HTTP/1.1',
    'Host: a',
    `Authorization: Bearer ${key}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  await waitFor('the request to be under way', async () => {
    const counted = await t.db.em
      .fork()
      .execute(
        'select 1 from api_key_rate r join api_key k on k.id = r.key_id where k.account_id = ?',
        [id],
      )
    return counted.length > 0
  })
  socket.destroy()
  const isOurs = (line: string) => line.includes(`"accountId":${id}`)
  await waitFor('its line', async () => t.logLines.some(isOurs))
  expect(JSON.parse(t.logLines.find(isOurs) ?? '')).toMatchObject({
    route: '/v1/events',
    status: null,
    isBrokenOff: true,
  })
})
