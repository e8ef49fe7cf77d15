import { describe, expect, it } from 'vitest'
import { createAuthority, createSelfSigned } from '../../scripts/local-https/tls-authority.ts'
import {
  OK,
  onRequest,
  responds,
  setUpHostileReceiverFixture,
  type Behaviour,
} from '../../test/fixtures/hostile-receivers.ts'

const { t, attack, attemptAt, attemptAtServer } = setUpHostileReceiverFixture()
const noResponse = { responseStatus: null, responseBody: null, responseHeaders: {} }
const host = ['hooks.test']

describe('an invalid certificate is tls_error with its cause, and nothing is sent', () => {
  const dayMs = 86_400_000
  it.each([
    ['for another host', () => t.network.authority.issue(['other.test']), 'certificate_wrong_host'],
    [
      'that has expired',
      () => t.network.authority.issue(host, { notAfter: new Date(Date.now() - 1000) }),
      'certificate_expired',
    ],
    [
      'that is not valid yet',
      () => t.network.authority.issue(host, { notBefore: new Date(Date.now() + dayMs) }),
      'certificate_not_yet_valid',
    ],
    [
      'of an unknown authority',
      async () => (await createAuthority()).issue(host),
      'certificate_chain_incomplete',
    ],
    [
      'without its intermediate certificate',
      async () => (await t.network.authority.issueAuthority()).issue(host),
      'certificate_chain_incomplete',
    ],
    [
      'with an authority that is not public',
      async () => {
        const authority = await createAuthority()
        const { key, cert } = await authority.issue(host)
        return { key, cert: `${cert}\n${authority.caPem}` }
      },
      'certificate_authority_unknown',
    ],
    ['that is self-signed', () => createSelfSigned(host), 'certificate_self_signed'],
    [
      'with a weak key',
      async () => ({
        ...(await t.network.authority.issue(host, { rsaBits: 1024 })),
        ciphers: 'DEFAULT@SECLEVEL=0',
      }),
      'certificate_too_weak',
    ],
  ])('one %s', async (_what, makePair, errorCause) => {
    let sawRequest = false
    const behaviour = onRequest(() => (sawRequest = true))
    const server = await t.network.serveTls(host, behaviour, await makePair())
    const attempt = await attemptAtServer(server)
    expect(attempt).toMatchObject({ ...noResponse, errorCode: 'tls_error', remoteIp: '127.0.0.1' })
    expect(attempt).toMatchObject({
      errorCause,
      errorMessage: expect.stringContaining('ertificate'),
    })
    expect(Object.keys(attempt.timings)).toEqual(['dnsMs', 'connectMs'])
    expect(sawRequest).toBe(false)
  })

  it('has cause and remedy in words, with the code of OpenSSL', async () => {
    const pair = await t.network.authority.issue(host, { notAfter: new Date(Date.now() - 1000) })
    const { errorMessage } = await attemptAtServer(await t.network.serveTls(host, () => {}, pair))
    expect(errorMessage).toBe(
      'The certificate of the host has expired (CERT_HAS_EXPIRED). Renew it.',
    )
  })

  it('passes if the intermediate certificate is sent', async () => {
    const authority = await t.network.authority.issueAuthority()
    const { key, cert } = await authority.issue(host)
    const pair = { key, cert: `${cert}\n${authority.caPem}` }
    const server = await t.network.serveTls(host, responds(`${OK}content-length: 0\r\n\r\n`), pair)
    expect(await attemptAtServer(server)).toMatchObject({ errorCode: null, errorMessage: null })
  })
})

describe('a TLS server without common parameters is tls_error:', () => {
  it.each([
    ['it speaks only HTTP/2', { ALPNProtocols: ['h2'] }, 'http2_only'],
    [
      'it speaks only TLS 1.0',
      { minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' },
      'tls_version_too_old',
    ],
    [
      'it speaks only TLS 1.1',
      { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' },
      'tls_version_too_old',
    ],
    [
      'it has only ciphers that are not for its certificate',
      { maxVersion: 'TLSv1.2', ciphers: 'AES128-SHA@SECLEVEL=0' },
      'tls_handshake_refused',
    ],
  ])('%s', async (_what, options, errorCause) => {
    const pair = { ...(await t.network.authority.issue(host)), ...options }
    const attempt = await attemptAtServer(await t.network.serveTls(host, () => {}, pair))
    expect(attempt).toMatchObject({ ...noResponse, errorCode: 'tls_error', errorCause })
  })

  it.each([
    ['it speaks plain HTTP', `${OK}content-length: 0\r\n\r\n`],
    ['it writes meaningless bytes', '\xff\x00\xfe\x01\x80\x81\x82\x83'],
    ['it speaks another protocol', '220 mail.hooks.test ESMTP\r\n'],
  ])('%s', async (_what, bytes) => {
    const server = await t.network.serveTcp((socket) => void socket.write(bytes, 'latin1'))
    const attempt = await attemptAtServer(server)
    expect(attempt).toMatchObject({
      ...noResponse,
      errorCode: 'tls_error',
      errorCause: 'tls_missing',
    })
  })
})

describe('a receiver that requires a client certificate is named as the cause', () => {
  it.each([
    ['connection_reset', 'TLSv1.3'],
    ['tls_error', 'TLSv1.2'],
  ] as const)('of %s in %s', async (errorCode, maxVersion) => {
    const { authority } = t.network
    const ca = authority.caPem
    const pair = { ...(await authority.issue(host)), requestCert: true, ca, maxVersion }
    const behaviour = onRequest((socket) => void socket.end(OK))
    const attempt = await attemptAtServer(await t.network.serveTls(host, behaviour, pair))
    const errorCause = 'client_certificate_required'
    expect(attempt).toMatchObject({ ...noResponse, errorCode, errorCause })
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
    expect(attempt).toMatchObject({ ...noResponse, errorCode: 'connection_reset' })
  })

  it.each([
    ['after the request', ''],
    ['within the status line', 'HTTP/1.1 20'],
    ['within the headers', `${OK}x-half: `],
    ['after an interim response', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
  ])('%s', async (_what, bytes) => {
    for (const end of ['end', 'destroy'] as const) {
      const attempt = await attack(onRequest((socket) => socket.write(bytes, () => socket[end]())))
      expect(attempt).toMatchObject({ ...noResponse, errorCode: 'connection_reset' })
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
    expect(attempt).toMatchObject({ ...noResponse, errorCode: 'connection_refused' })
    expect(attempt).toMatchObject({ remoteIp: '127.0.0.1', timings: { dnsMs: expect.any(Number) } })
  })
})

describe('a receiver that responds before it has read the request', () => {
  it('has its response recorded, even with the request unfinished', async () => {
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
