import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import {
  OK,
  onRequest,
  responds,
  setUpHostileReceiverFixture,
} from '../../test/fixtures/hostile-receivers.ts'

const { t, attack, attemptAt, attemptAtServer } = setUpHostileReceiverFixture()

async function writeAll(socket: Socket, pieces: string[]): Promise<void> {
  for (const piece of pieces) await new Promise((resolve) => socket.write(piece, resolve))
}

describe('a redirect is a failed attempt and is not followed', () => {
  it.each([301, 302, 303, 307, 308])('%i to another address of the same host', async (status) => {
    t.receiver.respond = (response) => void response.writeHead(status, { location: '/in' }).end()
    const attempt = await attemptAt(t.url)
    expect(attempt).toMatchObject({
      responseStatus: status,
      errorCode: 'redirect_not_followed',
      responseHeaders: { location: '/in' },
    })
    expect(t.received).toHaveLength(1)
  })

  it.each([
    ['to plain http', 'location: http://hooks.test/\r\n'],
    ['to a private address', 'location: https://10.0.0.1/\r\n'],
    ['to the metadata address', 'location: http://169.254.169.254/latest/meta-data/\r\n'],
    ['to itself', 'location: /\r\n'],
    ['to two addresses', 'location: /a\r\nlocation: /b\r\n'],
    ['to no URL', 'location: ::::\r\n'],
    ['to another scheme', 'location: file:///etc/passwd\r\n'],
    ['without a Location', ''],
  ])('%s', async (_what, header) => {
    const server = await t.network.serveTls(
      ['hooks.test'],
      responds(`HTTP/1.1 302 Found\r\n${header}content-length: 0\r\n\r\n`),
    )
    const attempt = await attemptAtServer(server)
    expect(attempt).toMatchObject({ responseStatus: 302, errorCode: 'redirect_not_followed' })
    expect(server.accepted()).toBe(1)
  })
})

describe('a response with the status', () => {
  it.each([
    ['999', 'HTTP/1.1 999 Request Denied', 999, 'http_error'],
    ['600', 'HTTP/1.1 600 ', 600, 'http_error'],
    ['400', 'HTTP/1.1 400 Bad Request', 400, 'http_error'],
    ['304', 'HTTP/1.1 304 Not Modified', 304, 'http_error'],
    ['299', 'HTTP/1.1 299 Fine', 299, null],
    ['226 in HTTP/1.0', 'HTTP/1.0 226 IM Used', 226, null],
    ['200 without a reason', 'HTTP/1.1 200', 200, null],
  ])('%s is recorded unchanged', async (_what, line, responseStatus, errorCode) => {
    const attempt = await attack(responds(`${line}\r\ncontent-length: 0\r\n\r\n`))
    expect(attempt).toMatchObject({ responseStatus, errorCode, responseBody: '' })
  })

  it('204 and a body is a success without a body', async () => {
    const attempt = await attack(responds('HTTP/1.1 204 No\r\ncontent-length: 5\r\n\r\nhello'))
    expect(attempt).toMatchObject({ responseStatus: 204, errorCode: null, responseBody: '' })
  })

  it.each([
    ['1000', 'HTTP/1.1 1000 Much\r\ncontent-length: 0\r\n\r\n'],
    ['20', 'HTTP/1.1 20 Little\r\ncontent-length: 0\r\n\r\n'],
    ['of letters', 'HTTP/1.1 abc\r\n\r\n'],
    ['101', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\nhello'],
  ])('%s is protocol_error', async (_what, bytes) => {
    const attempt = await attack(responds(bytes))
    expect(attempt).toMatchObject({ errorCode: 'protocol_error', responseStatus: null })
  })

  it.each([
    ['103', ['HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n']],
    ['100, which was not asked for,', ['HTTP/1.1 100 Continue\r\n\r\n']],
    [
      '100 in pieces, and 103,',
      ['HTTP/1.1 1', '00 Continue\r\nx: y\r\n', '\r\nHTTP/1.1 103 E\r\n\r\n'],
    ],
  ])('%s before 200 is a success', async (_what, pieces) => {
    const end = `${OK}content-length: 2\r\n\r\nok`
    const attempt = await attack(
      onRequest((socket) => void writeAll(socket, [...pieces, ...pieces, end])),
    )
    expect(attempt).toMatchObject({ responseStatus: 200, errorCode: null, responseBody: 'ok' })
  })

  it('100 and then nothing is connection_reset', async () => {
    const attempt = await attack(onRequest((socket) => socket.end('HTTP/1.1 100 Continue\r\n\r\n')))
    expect(attempt).toMatchObject({ errorCode: 'connection_reset', responseStatus: null })
  })
})

describe('a response that is not HTTP/1 is protocol_error with its cause', () => {
  it.each([
    ['meaningless bytes', Buffer.from([0xff, 0, 0xfe, 1, 0x80]).toString('latin1'), 'http_invalid'],
    ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n', 'http_invalid'],
    ['a page without headers, as in HTTP/0.9', '<html>ok</html>\r\n', 'http_invalid'],
    ['another version', 'HTTP/3.0 200 OK\r\n\r\n', 'http_invalid'],
    ['frames of HTTP/2 without negotiation', '\0\0\0\x04\0\0\0\0\0', 'http2_only'],
    ['lines that end with LF', 'HTTP/1.1 200 OK\ncontent-length: 0\n\n', 'http_line_feeds'],
    ['a control character in a header', `${OK}x: a\0b\r\n\r\n`, 'http_invalid'],
    ['a space before the colon', `${OK}x : a\r\n\r\n`, 'http_invalid'],
    ['a negative length', `${OK}content-length: -1\r\n\r\n`, 'http_invalid'],
    [
      'two lengths',
      `${OK}content-length: 1\r\ncontent-length: 2\r\n\r\nab`,
      'http_length_ambiguous',
    ],
    [
      'a length and chunks',
      `${OK}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n`,
      'http_length_ambiguous',
    ],
    ['200 kB of headers', `${OK}x: ${'a'.repeat(200_000)}\r\n\r\n`, 'http_headers_too_large'],
  ])('%s', async (_what, bytes, errorCause) => {
    const attempt = await attack(onRequest((socket) => socket.write(bytes, 'latin1')))
    expect(attempt).toMatchObject({ errorCode: 'protocol_error', errorCause })
    expect(attempt.remoteIp).toBe('127.0.0.1')
  })
})

describe('a response with a wrong length', () => {
  it.each([
    ['2xx with a shorter body', 200, 'content-length: 100', 'abc', null, 'abc'],
    ['an error with a shorter body', 500, 'content-length: 100', 'abc', 'http_error', 'abc'],
    ['2xx with a longer body', 200, 'content-length: 2', 'abc', null, 'ab'],
    ['an error with a longer body', 500, 'content-length: 2', 'abc', 'http_error', 'ab'],
    ['2xx with an invalid chunk', 200, 'transfer-encoding: chunked', 'zz\r\n', null, ''],
    [
      'an error with half a chunk',
      503,
      'transfer-encoding: chunked',
      '5\r\nab',
      'http_error',
      'ab',
    ],
  ])(
    '(%s) is judged by its status, with what came of the body',
    async (_what, status, header, sent, errorCode, responseBody) => {
      const attempt = await attack(
        onRequest((socket) => socket.end(`HTTP/1.1 ${status} X\r\n${header}\r\n\r\n${sent}`)),
      )
      expect(attempt).toMatchObject({ responseStatus: status, errorCode, responseBody })
    },
  )

  it('does not affect the next attempt by a second response after the first one', async () => {
    const first = 'HTTP/1.1 500 No\r\nconnection: keep-alive\r\ncontent-length: 2\r\n\r\nno'
    const server = await t.network.serveTls(
      ['hooks.test'],
      responds(`${first}${OK}content-length: 3\r\n\r\nyes`),
    )
    for (const accepted of [1, 2]) {
      const attempt = await attemptAtServer(server)
      expect(attempt).toMatchObject({ responseStatus: 500, responseBody: 'no' })
      expect(server.accepted()).toBe(accepted)
    }
  })
})
