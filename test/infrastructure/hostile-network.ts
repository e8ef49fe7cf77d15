import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Egress } from '../../egress/egress.ts'
import { failureOf, startTestNetwork, type TestNetwork } from './test-network.ts'

export const OK = 'HTTP/1.1 200 OK\r\n'

/** How a request failed, and after how long. */
interface Outcome {
  failure: unknown
  tookMs: number
}

/** What a test of hostile servers needs. */
export interface HostileNetwork {
  network: TestNetwork
  egress: Egress
  /** Asks a TLS server that writes what `onConnection` writes, and reads the whole body. */
  ask: (onConnection: (socket: Socket) => void, options?: object) => Promise<Outcome>
  /** The same for a server that is there already. */
  askPort: (port: number, options?: object) => Promise<Outcome>
}

/** Starts a network with the name hostile.test on the loopback. */
export async function startHostileNetwork(): Promise<HostileNetwork> {
  const network = await startTestNetwork()
  network.dns.set('hostile.test', ['127.0.0.1'])
  const egress = network.egress()

  const askPort = async (port: number, options: object = {}) => {
    const startedMs = performance.now()
    const url = `https://hostile.test:${port}/`
    const request = { url, method: 'GET', deadlineMs: 5000, ...options } as const
    const failure = await failureOf(egress.request(request).then(({ body }) => text(body)))
    return { failure, tookMs: performance.now() - startedMs }
  }
  return {
    network,
    egress,
    askPort,
    ask: async (onConnection, options) => {
      const { port } = await network.serveTls(['hostile.test'], onConnection)
      return await askPort(port, options)
    },
  }
}

/** Writes `chunk` every few milliseconds for as long as the other side listens. */
export function drip(socket: Socket, chunk: string | Buffer, everyMs = 10): void {
  const timer = setInterval(() => socket.write(chunk), everyMs)
  socket.once('close', () => clearInterval(timer))
}
