import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refuseUnreadable } from './unreadable-requests.ts'

let server: Server
const lines: string[] = []
const bodyOf = (message: string, requestId: string) => ({
  error: { code: 'invalid_request', message, request_id: requestId },
})

beforeAll(async () => {
  server = createServer((_request, response) => void response.end('read'))
  const sink = new Writable({
    write: (line: Buffer, _encoding, done) => (lines.push(line.toString()), done()),
  })
  refuseUnreadable(server, bodyOf, pino(sink))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})

afterAll(() => new Promise((resolve) => server.close(resolve)))

async function send(request: string): Promise<{ status: string; head: string; body: string }> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.end(request)
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
  return { status: head.split(' ')[1] ?? '', head, body }
}

describe('a request that is not HTTP', () => {
  it.each([
    ['nonsense', 'nonsense\r\n\r\n', '400'],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      '400',
    ],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      '400',
    ],
    ['a bare line feed in a header', 'GET / HTTP/1.1\r\nHost: a\r\nX: a\nb\r\n\r\n', '400'],
    ['20 kB of headers', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, '431'],
  ])('with %s gets the error body and a Request-Id', async (_what, request, status) => {
    const reply = await send(request)
    expect(reply.status).toBe(status)
    const { error } = JSON.parse(reply.body) as { error: Record<string, string> }
    expect(error).toMatchObject({ code: 'invalid_request' })
    expect(reply.head).toContain(`\r\nRequest-Id: ${error.request_id}`)
    const [line, ...others] = lines.filter((one) => one.includes(error.request_id ?? ''))
    expect(JSON.parse(line ?? '')).toMatchObject({ status: Number(status), msg: 'request' })
    expect(others).toEqual([])
  })

  it('leaves no connection to a client that does not close its side', async () => {
    const connected = once(server, 'connection') as Promise<[Socket]>
    const { port } = server.address() as AddressInfo
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    client.write('nonsense\r\n\r\n')
    const [socket] = await connected
    expect(await text(client)).toContain('400 Bad Request')
    if (!socket.destroyed) await once(socket, 'close')
    client.destroy()
  })

  it('does not affect the next request', async () => {
    await send('nonsense\r\n\r\n')
    expect((await send('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')).body).toContain(
      'read',
    )
  })
})
