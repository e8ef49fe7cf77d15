import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { drip, OK, startHostileNetwork, type HostileNetwork } from '../test/fixtures/egress.ts'
import { until } from '../test/infrastructure/wait-for.ts'

let network: HostileNetwork['network']
let egress: HostileNetwork['egress']
let ask: HostileNetwork['ask']
let askPort: HostileNetwork['askPort']

beforeAll(async () => {
  ;({ network, egress, ask, askPort } = await startHostileNetwork())
})

afterAll(() => network.close())

describe('a hostile server', () => {
  it.each([
    ['one endless header', `${OK}x: ${'a'.repeat(20_000)}`],
    ['endless headers', OK + 'x-y: z\r\n'.repeat(5000)],
    ['an endless header name', OK + 'x'.repeat(20_000)],
  ])('that sends %s is headers_too_large', async (_what, bytes) => {
    expect((await ask((socket) => socket.write(bytes))).failure).toMatchObject({
      code: 'headers_too_large',
    })
  })

  it('that sends endless trailers is cut off', async () => {
    const result = await ask((socket) => {
      socket.write(`${OK}transfer-encoding: chunked\r\n\r\n1\r\na\r\n0\r\n`)
      drip(socket, `x: ${'a'.repeat(5000)}\r\n`)
    })
    expect(result.failure).toMatchObject({ code: 'headers_too_large' })
  })

  it.each([
    ['with Content-Length', 'content-length: 1000000000\r\n\r\n'],
    ['without Content-Length', '\r\n'],
  ])('that sends a huge body %s is response_too_large', async (_what, head) => {
    const server = await network.serveTls(['hostile.test'], (socket) => {
      socket.write(OK + head)
      drip(socket, Buffer.alloc(100_000), 1)
    })
    const { failure } = await askPort(server.port, { maxResponseBytes: 500_000 })
    expect(failure).toMatchObject({ code: 'response_too_large' })
    await until(() => server.open() === 0)
  })

  it('that sends more than 1 MiB is response_too_large by default', async () => {
    const { failure } = await ask((socket) => socket.end(`${OK}\r\n${'a'.repeat(1_048_577)}`))
    expect(failure).toMatchObject({ code: 'response_too_large' })
  })

  it.each([
    ['no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['a negative length', `${OK}content-length: -1\r\n\r\n`],
    ['a control character in a header', `${OK}x: a\0b\r\n\r\n`],
    ['an invalid chunk size', `${OK}transfer-encoding: chunked\r\n\r\nzz\r\n`],
  ])('that sends %s is protocol_error', async (_what, bytes) => {
    expect((await ask((socket) => socket.end(bytes))).failure).toMatchObject({
      code: 'protocol_error',
    })
  })

  it.each([
    ['two lengths', 'content-length: 1\r\ncontent-length: 2\r\n\r\nab'],
    [
      'length and chunks',
      'content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n',
    ],
  ])('that contradicts itself with %s is protocol_error', async (_what, bytes) => {
    expect((await ask((socket) => socket.end(OK + bytes))).failure).toMatchObject({
      code: 'protocol_error',
    })
  })

  it.each([
    ['before the headers', ''],
    ['within the headers', `${OK}x: `],
    ['within a body of known length', `${OK}content-length: 100\r\n\r\nabc`],
    [
      'within a body of known length, with keep-alive',
      `${OK}connection: keep-alive\r\ncontent-length: 100\r\n\r\nabc`,
    ],
    ['within a chunked body', `${OK}transfer-encoding: chunked\r\n\r\n5\r\nab`],
    ['between chunks', `${OK}transfer-encoding: chunked\r\n\r\n2\r\nab\r\n`],
  ])('that closes the connection %s is connection_reset', async (_what, bytes) => {
    const result = await ask((socket) => socket.once('data', () => socket.end(bytes)))
    expect(result.failure).toMatchObject({ code: 'connection_reset' })
  })

  it('that resets the connection during the body is connection_reset', async () => {
    const server = await network.serveTls(['hostile.test'], (socket) => {
      socket.write(`${OK}content-length: 100\r\n\r\nabc`)
      setTimeout(() => socket.destroy(), 20)
    })
    expect((await askPort(server.port)).failure).toMatchObject({ code: 'connection_reset' })
  })

  it('that resets the connection before TLS is connection_reset', async () => {
    const server = await network.serveTcp((socket) => void socket.resetAndDestroy())
    expect((await askPort(server.port)).failure).toMatchObject({ code: 'connection_reset' })
  })

  it('that closes the connection during TLS is connection_reset', async () => {
    const server = await network.serveTcp((socket) => void socket.once('data', () => socket.end()))
    expect((await askPort(server.port)).failure).toMatchObject({ code: 'connection_reset' })
  })

  it('that does not listen is connection_refused', async () => {
    const server = await network.serveTcp(() => {})
    const port = await network.portWithoutServer()
    expect((await askPort(port)).failure).toMatchObject({
      code: 'connection_refused',
      remoteAddress: '127.0.0.1',
    })
    expect(server.accepted()).toBe(0)
  })

  it('that speaks plain HTTP is tls_error', async () => {
    const server = await network.serveTcp((socket) => void socket.end(`${OK}\r\n`))
    expect((await askPort(server.port)).failure).toMatchObject({ code: 'tls_error' })
  })

  it('with the certificate of another host is tls_error', async () => {
    const server = await network.serveHttps(['other.test'], (_q, response) => response.end('ok'))
    expect((await askPort(server.port)).failure).toMatchObject({
      code: 'tls_error',
      message: expect.stringContaining('ERR_TLS_CERT_ALTNAME_INVALID'),
    })
  })

  it('with an expired certificate is tls_error', async () => {
    const { tlsPort } = await expiredServer()
    expect((await askPort(tlsPort)).failure).toMatchObject({
      code: 'tls_error',
      message: expect.stringContaining('CERT_HAS_EXPIRED'),
    })
  })

  it('that offers an unrequested upgrade is protocol_error', async () => {
    const bytes = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\nabc'
    expect((await ask((socket) => socket.write(bytes))).failure).toMatchObject({
      name: 'EgressError',
      code: 'protocol_error',
    })
  })

  it('that sends a body in chunks of one byte is read completely', async () => {
    const body = '1\r\na\r\n'.repeat(100_000)
    const server = await network.serveTls(['hostile.test'], (socket) =>
      socket.once('data', () =>
        socket.write(`${OK}transfer-encoding: chunked\r\n\r\n${body}0\r\n\r\n`),
      ),
    )
    const url = `https://hostile.test:${server.port}/`
    const request = {
      url,
      method: 'GET',
      deadlineMs: 30_000,
      maxResponseBytes: 100_000,
    } as const
    expect(await text((await egress.request(request)).body)).toBe('a'.repeat(100_000))
  })

  it('that sends two responses is read up to the end of the first one', async () => {
    const reply = `${OK}content-length: 1\r\n\r\n`
    const server = await network.serveTls(['hostile.test'], (socket) =>
      socket.once('data', () => socket.write(`${reply}a${reply}b`)),
    )
    const url = `https://hostile.test:${server.port}/`
    const { body } = await egress.request({ url, method: 'GET', deadlineMs: 2000 })
    expect(await text(body)).toBe('a')
    await until(() => server.open() === 0)
  })
})

async function expiredServer() {
  const notAfter = new Date(Date.now() - 1000)
  const pair = await network.authority.issue(['hostile.test'], { notAfter })
  const server = await network.serveTls(['hostile.test'], () => {}, pair)
  return { tlsPort: server.port }
}
