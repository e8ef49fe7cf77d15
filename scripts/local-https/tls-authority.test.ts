import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { createAuthority } from './tls-authority.ts'

describe('createAuthority', () => {
  it('issues a certificate that clients with the CA certificate accept for each host', async () => {
    const authority = await createAuthority()
    const pair = await authority.issue(['media.example', '127.0.0.1'])
    expect(await handshake(pair, authority.caPem, 'media.example')).toBe('authorized')
    expect(await handshake(pair, authority.caPem, undefined)).toBe('authorized')
  })

  it('is rejected for another host, without the CA certificate, and after the end date', async () => {
    const authority = await createAuthority()
    const pair = await authority.issue(['media.example'])
    const expired = await authority.issue(['media.example'], { notAfter: new Date(1000) })
    expect(await handshake(pair, authority.caPem, 'other.example')).toBe(
      'ERR_TLS_CERT_ALTNAME_INVALID',
    )
    expect(await handshake(pair, undefined, 'media.example')).toMatch(/^UNABLE_TO|^SELF_SIGNED/)
    expect(await handshake(expired, authority.caPem, 'media.example')).toBe('CERT_HAS_EXPIRED')
  })
})

async function handshake(
  pair: { key: string; cert: string },
  ca: string | undefined,
  servername: string | undefined,
): Promise<string> {
  const server = createServer(pair, (socket) => socket.on('error', () => {}).end())
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const socket = connect({
    host: '127.0.0.1',
    port,
    ...(ca && { ca }),
    ...(servername && { servername }),
  })
  try {
    await once(socket, 'secureConnect')
    return 'authorized'
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error)
  } finally {
    socket.destroy()
    server.close()
  }
}
