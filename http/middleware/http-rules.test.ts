import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { setUpApiFixture } from '../../test/fixtures/api.ts'

const t = setUpApiFixture()

/** Sends a raw request; `lines` follow the request line. */
async function send(requestLine: string, lines: string[], body = '') {
  const { hostname, port } = new URL(t.base)
  const socket = connect(Number(port), hostname)
  const all = [requestLine, ...lines, `Authorization: Bearer ${t.ours.key}`, 'Connection: close']
  socket.write(`${all.join('\r\n')}\r\n\r\n${body}`)
  const responded = (await text(socket)).replace('HTTP/1.1 100 Continue\r\n\r\n', '')
  const [head = '', response = ''] = responded.split('\r\n\r\n')
  return {
    status: Number(head.split(' ')[1]),
    requestId: /^request-id: (.*)$/im.exec(head)?.[1],
    json: JSON.parse(response) as { error?: Record<string, string> },
  }
}

const GET = 'GET /v1/account HTTP/1.1'
const BODY = '{"name":"Two keys"}'
const POST = ['Host: a', 'Content-Type: application/json', `Content-Length: ${BODY.length}`]

describe('a request that HTTP does not allow', () => {
  it.each([
    ['without Host', GET, [], 400, 'Host'],
    ['with two Host headers', GET, ['Host: a', 'host: b'], 400, 'Host'],
    ['with two equal Host headers', GET, ['Host: a', 'Host: a'], 400, 'Host'],
    ['with an unknown Expect', GET, ['Host: a', 'Expect: tea'], 417, 'Expect'],
  ])('%s gets the error body and a Request-Id', async (_what, line, headers, status, word) => {
    const response = await send(line, headers)
    expect(response.status).toBe(status)
    expect(response.json.error).toMatchObject({
      code: 'invalid_request',
      request_id: response.requestId,
      message: expect.stringContaining(word),
    })
    expect(response.requestId).toMatch(/^req_/)
  })

  it('is refused with two Idempotency-Keys, and does nothing', async () => {
    const keys = ['Idempotency-Key: one', 'idempotency-key: two']
    const { status, json } = await send('POST /v1/folders HTTP/1.1', [...POST, ...keys], BODY)
    expect([status, json.error?.code]).toEqual([400, 'invalid_idempotency_key'])
    const folders = await t.call('GET', '/v1/folders')
    expect(folders.json.data).toEqual([])
  })
})

describe('a request that HTTP allows', () => {
  it('gets a response: HTTP/1.0 without Host, Expect: 100-continue, one Idempotency-Key', async () => {
    expect((await send('GET /v1/account HTTP/1.0', [])).status).toBe(200)
    const one = [...POST, 'Idempotency-Key: one, two']
    expect((await send('POST /v1/folders HTTP/1.1', one, BODY)).status).toBe(201)
    const other = '{"name":"Continue"}'
    const continued = await send(
      'POST /v1/folders HTTP/1.1',
      [...POST, 'Expect: 100-continue'],
      other,
    )
    expect(continued.json).toMatchObject({ object: 'folder', name: 'Continue' })
  })
})
