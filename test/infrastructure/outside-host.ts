import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { openHttpsHost, sendFile } from '../../scripts/local-https/https-host.ts'
import { checkEvent } from './check-events.ts'

/** A delivery as it arrived. */
interface ReceivedWebhook {
  headers: Record<string, string>
  body: string
  receivedAtMs: number
}

/**
 * An integrator's server: https on port 8443 of a loopback address, with a certificate of a separate
 * authority, files under `/files/<name>` (HEAD and ranges) and a webhook receiver at `/hook`.
 */
export interface OutsideHost {
  baseUrl: string
  /** The authority's certificate, for EGRESS_CA_FILE. */
  caFile: string
  received: ReceivedWebhook[]
  requests: { method: string; url: string; range: string | null }[]
  /** Sets the status of `/hook`. */
  respondWith(status: number): void
  /**
   * Sends nothing of the file to a GET, so that its download lasts without work; HEAD is served. Returns a function
   * that ends this for later requests.
   */
  hold(name: string): () => void
  /** Sends one byte of the file to each later GET, and another each `everyMs`. Returns how many such downloads run. */
  drip(name: string, everyMs: number): () => number
  /** Closes the host. Throws if it received a body that is not an event of the catalog. */
  close(): Promise<void>
}

/** Serves `files` (name to path) on a random loopback address, so that test files can run in parallel. */
export async function openOutsideHost(
  folder: string,
  files: Record<string, string>,
): Promise<OutsideHost> {
  const octet = () => 1 + Math.floor(Math.random() * 250)
  const address = `127.${octet()}.${octet()}.${octet()}`
  const caFile = join(folder, 'outside-ca.pem')
  const received: ReceivedWebhook[] = []
  const requests: OutsideHost['requests'] = []
  const held = new Set<string>()
  const drips = new Map<string, Drip>()
  let hookStatus = 200
  const handle: RequestListener = (request, response) => {
    const { method = '', url = '' } = request
    requests.push({ method, url, range: request.headers.range ?? null })
    if (url === '/hook') return void receive(request, response, received, () => hookStatus)
    const name = decodeURIComponent(url.replace(/^\/files\//, '').replace(/\?.*$/, ''))
    const path = files[name]
    if (path === undefined) return void response.writeHead(404).end()
    if (method === 'GET' && held.has(name)) return
    const drip = drips.get(name)
    if (method === 'GET' && drip) return sendByBytes(response, drip)
    void sendFile(path, request, response)
  }
  const close = await openHttpsHost({ hosts: [address], address, port: 8443, caFile, handle })
  return {
    baseUrl: `https://${address}:8443`,
    caFile,
    received,
    requests,
    respondWith: (status) => (hookStatus = status),
    hold(name) {
      held.add(name)
      return () => void held.delete(name)
    },
    drip(name, everyMs) {
      const drip = { everyMs, running: 0 }
      drips.set(name, drip)
      return () => drip.running
    },
    async close() {
      await close()
      for (const { body } of received) checkEvent(body)
    },
  }
}

interface Drip {
  everyMs: number
  running: number
}

function sendByBytes(response: ServerResponse, drip: Drip): void {
  response.writeHead(200, { 'Content-Type': 'video/mp4', 'Content-Length': DRIPPING_BYTES })
  response.write('x')
  drip.running += 1
  const timer = setInterval(() => response.write('x'), drip.everyMs)
  response.on('close', () => {
    clearInterval(timer)
    drip.running -= 1
  })
}

/** More than any test waits for. */
const DRIPPING_BYTES = 1_000_000

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  received: ReceivedWebhook[],
  status: () => number,
): Promise<void> {
  const body = await text(request)
  const headers = request.headers as Record<string, string>
  received.push({ headers, body, receivedAtMs: Date.now() })
  response.writeHead(status()).end()
}
