import { describe, expect, it } from 'vitest'
import { createAuthority, createSelfSigned } from '../scripts/local-https/tls-authority.ts'
import { OK, onRequest, setUpHostileReceiverFixture } from '../test/fixtures/hostile-receivers.ts'
import type { Behaviour } from '../test/fixtures/hostile-receivers.ts'

const { t, attack, attemptAt, attemptAtServer } = setUpHostileReceiverFixture()
const noAnswer = { responseStatus: null, responseBody: null, responseHeaders: {} }
const host = ['hooks.test']

describe('an invalid certificate is tls_error, and nothing is sent', () => {
  it.each([
    ['for another host', () => t.network.authority.issue(['other.test'])],
    [
      'that has expired',
      () => t.network.authority.issue(host, { notAfter: new Date(Date.now() - 1000) }),
    ],
    ['of an unknown authority', async () => (await createAuthority()).issue(host)],
    ['that is self-signed', () => createSelfSigned(host)],
  ])('one %s', async (_what, makePair) => {
    let sawRequest = false
    const behaviour = onRequest(() => (sawRequest = true))
    const server = await t.network.serveTls(host, behaviour, await makePair())
    const attempt = await attemptAtServer(server)
    expect(attempt).toMatchObject({ ...noAnswer, errorCode: 'tls_error', remoteIp: '127.0.0.1' })
    expect(Object.keys(attempt.timings)).toEqual(['dnsMs', 'connectMs'])
    expect(sawRequest).toBe(false)
  })
})

describe('a TLS server without common parameters is tls_error:', () => {
  it.each([
    ['it speaks only HTTP/2', { ALPNProtocols: ['h2'] }],
    [
      'it speaks only TLS 1.1',
      { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' },
    ],
  ])('%s', async (_what, options) => {
    const pair = { ...(await t.network.authority.issue(host)), ...options }
    const attempt = await attemptAtServer(await t.network.serveTls(host, () => {}, pair))
    expect(attempt).toMatchObject({ ...noAnswer, errorCode: 'tls_error' })
  })

  it.each([
    ['it speaks plain HTTP', `${OK}content-length: 0\r\n\r\n`],
    ['it writes meaningless bytes', '\xff\x00\xfe\x01\x80\x81\x82\x83'],
    ['it speaks another protocol', '220 mail.hooks.test ESMTP\r\n'],
  ])('%s', async (_what, bytes) => {
    const server = await t.network.serveTcp((socket) => void socket.write(bytes, 'latin1'))
    const attempt = await attemptAtServer(server)
    expect(attempt).toMatchObject({ ...noAnswer, errorCode: 'tls_error' })
  })
})

describe('a connection that ends early is connection_reset', () => {
  it.each([
    ['reset as soon as it is accepted', (socket) => void socket.resetAndDestroy()],
    ['closed as soon as it is accepted', (socket) => void socket.end()],
    ['reset within the handshake', (socket) => socket.once('data', () => socket.resetAndDestroy())],
    ['closed within the handshake', (socket) => socket.once('data', () => socket.end())],
  ] as [string, Behaviour][])('%s', async (_what, behaviour) => {
    const attempt = await attemptAtServer(await t.network.serveTcp(behaviour))
    expect(attempt).toMatchObject({ ...noAnswer, errorCode: 'connection_reset' })
  })

  it.each([
    ['after the request', ''],
    ['within the status line', 'HTTP/1.1 20'],
    ['within the headers', `${OK}x-half: `],
    ['after an interim answer', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
  ])('%s', async (_what, bytes) => {
    for (const end of ['end', 'destroy'] as const) {
      const attempt = await attack(onRequest((socket) => socket.write(bytes, () => socket[end]())))
      expect(attempt).toMatchObject({ ...noAnswer, errorCode: 'connection_reset' })
    }
  })
})

describe('a connection that ends within the body', () => {
  it.each([
    [200, null],
    [500, 'http_error'],
    [301, 'redirect_not_followed'],
  ])('after %i is judged by the status', async (status, errorCode) => {
    const head = `HTTP/1.1 ${status} X\r\ncontent-length: 100\r\nx-request-id: 7\r\n\r\nabc`
    const attempt = await attack(
      onRequest((socket) => socket.write(head, () => setTimeout(() => socket.destroy(), 50))),
    )
    expect(attempt).toMatchObject({
      responseStatus: status,
      errorCode,
      responseBody: 'abc',
      responseHeaders: { 'x-request-id': '7' },
    })
  })
})

describe('a port without a listener', () => {
  it('is connection_refused, with the address that refused', async () => {
    const port = await t.network.portWithoutServer()
    const attempt = await attemptAt(`https://hooks.test:${port}/`)
    expect(attempt).toMatchObject({ ...noAnswer, errorCode: 'connection_refused' })
    expect(attempt).toMatchObject({ remoteIp: '127.0.0.1', timings: { dnsMs: expect.any(Number) } })
  })
})

describe('a receiver that answers before it has read the request', () => {
  it('has its answer recorded, even with the request unfinished', async () => {
    const attempt = await attack(
      (socket) => {
        socket.write('HTTP/1.1 413 Large\r\nconnection: close\r\ncontent-length: 2\r\n\r\nno')
        setImmediate(() => socket.pause())
        // A server that does not read does not notice that the client has gone.
        setTimeout(() => socket.resume(), 500)
      },
      { extraCharacters: 4_000_000 },
    )
    expect(attempt).toMatchObject({ responseStatus: 413, errorCode: 'http_error' })
    expect(attempt.responseBody).toBe('no')
  })
})
