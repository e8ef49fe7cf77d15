import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import {
  createServer as createTcpServer,
  type AddressInfo,
  type Server,
  type Socket,
} from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { createEgress, type Egress, type EgressOptions } from '../../egress/egress.ts'
import { freePort } from '../../scripts/embedded/ports.ts'
import { createAuthority, type Authority } from '../../scripts/local-https/tls-authority.ts'
import { startDnsServer, type DnsServer } from './dns-server.ts'

/** A server that a test reaches through the egress. */
export interface TestServer {
  port: number
  /** Counts the connections that it accepted, and those that are open now. */
  accepted: () => number
  open: () => number
}

/** A DNS server, an authority, and servers on the loopback; `egress` may reach exactly these. */
export interface TestNetwork {
  dns: DnsServer
  authority: Authority
  /** An https server whose certificate is for `hosts`, on `address` or 127.0.0.1. */
  serveHttps(hosts: string[], listener: RequestListener, address?: string): Promise<TestServer>
  /** A TLS server that sends what `onConnection` writes; `pair` replaces its certificate. */
  serveTls(
    hosts: string[],
    onConnection: (socket: Socket) => void,
    pair?: { key: string; cert: string },
  ): Promise<TestServer>
  /** A TCP server without TLS. */
  serveTcp(onConnection: (socket: Socket) => void): Promise<TestServer>
  /** A port that the egress may reach and where no server listens. */
  portWithoutServer(): Promise<number>
  /** An egress that trusts the authority, asks the DNS server, and may reach 127.0.0.0/8 on the ports of the servers so far. */
  egress(options?: EgressOptions): Egress
  /** Closes every server and connection. */
  close(): Promise<void>
}

/** Starts the network of one test file. */
export async function startTestNetwork(): Promise<TestNetwork> {
  const dns = await startDnsServer()
  const authority = await createAuthority()
  const servers: Server[] = []
  const sockets = new Set<Socket>()
  const ports: number[] = [443, 8443]

  const start = async (server: Server, address = '127.0.0.1'): Promise<TestServer> => {
    const own = new Set<Socket>()
    let accepted = 0
    server.on('connection', (socket: Socket) => {
      accepted += 1
      for (const set of [own, sockets]) {
        set.add(socket)
        socket.once('close', () => set.delete(socket))
      }
      socket.on('error', () => {})
    })
    server.on('tlsClientError', () => {})
    server.listen(0, address)
    await once(server, 'listening')
    servers.push(server)
    const { port } = server.address() as AddressInfo
    ports.push(port)
    return { port, accepted: () => accepted, open: () => own.size }
  }

  // All tests of a file share one: each reads the public authorities.
  let usual: Egress | undefined
  const openEgress = (options: EgressOptions = {}): Egress =>
    createEgress({
      allowedNetworks: ['127.0.0.0/8'],
      dnsServers: [dns.address],
      extraCa: [authority.caPem],
      ports,
      ...options,
    })

  return {
    dns,
    authority,
    serveHttps: async (hosts, listener, address) =>
      start(createHttpsServer(await authority.issue(hosts), listener), address),
    serveTls: async (hosts, onConnection, pair) =>
      start(
        createTlsServer(pair ?? (await authority.issue(hosts)), (socket) => {
          socket.on('error', () => {})
          onConnection(socket)
          socket.resume()
        }),
      ),
    serveTcp: (onConnection) =>
      start(
        createTcpServer((socket) => {
          onConnection(socket)
          // A server that does not read does not notice that the client has gone.
          socket.resume()
        }),
      ),
    async portWithoutServer() {
      const port = await freePort()
      ports.push(port)
      return port
    },
    egress: (options) => (options ? openEgress(options) : (usual ??= openEgress())),
    async close() {
      for (const socket of sockets) socket.destroy()
      await Promise.all(servers.map((server) => once(server.close(), 'close')))
      await dns.close()
    },
  }
}

/** Resolves to the error that a promise rejects with; throws if the promise does not reject. */
export async function captureError(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('It was expected to fail.')
}
