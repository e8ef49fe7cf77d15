import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { checkEvent } from './check-events.ts'
import { openHttpsHost, sendFile } from '../../scripts/local-https/https-host.ts'

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
  /** Sets the status that `/hook` answers. */
  answerWith(status: number): void
  /**
   * Sends nothing of the file to a GET, so that its download lasts without work; HEAD is answered. Returns a function
   * that ends this for later requests.
   */
  hold(name: string): () => void
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
  let hookStatus = 200
  const handle: RequestListener = (request, response) => {
    const { method = '', url = '' } = request
    requests.push({ method, url, range: request.headers.range ?? null })
    if (url === '/hook') return void receive(request, response, received, () => hookStatus)
    const name = decodeURIComponent(url.replace(/^\/files\//, '').replace(/\?.*$/, ''))
    const path = files[name]
    if (path === undefined) return void response.writeHead(404).end()
    if (method === 'GET' && held.has(name)) return
    void sendFile(path, request, response)
  }
  const close = await openHttpsHost({ hosts: [address], address, port: 8443, caFile, handle })
  return {
    baseUrl: `https://${address}:8443`,
    caFile,
    received,
    requests,
    answerWith: (status) => (hookStatus = status),
    hold(name) {
      held.add(name)
      return () => void held.delete(name)
    },
    async close() {
      await close()
      for (const { body } of received) checkEvent(body)
    },
  }
}

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
