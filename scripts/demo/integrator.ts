import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { openHttpsHost, sendFilm } from '../local-https/https-host.ts'
import { isGenuine } from './verify-webhook.ts'

export interface VerifiedEvent {
  type: string
  isGenuine: boolean
}

/** The integrator's side of the demo: a site over https with a film, a webhook receiver and a page. */
export interface Integrator {
  baseUrl: string
  filmUrl: string
  /**
   * The page, over http as the demo's player: a browser that goes from https to http tells nobody
   * where it comes from, and the embed is refused.
   */
  pageUrl: string
  /** PEM file of the authority behind its certificate. */
  caFile: string
  /** Until the secret is known, deliveries cannot be verified. */
  setSecret(secret: string): void
  /** What the page shows. */
  setPage(html: string): void
  close(): Promise<void>
}

/** Starts it on `port` (the contract allows 443 and 8443); a taken port is an error with its variable. */
export async function startIntegrator(options: {
  port: number
  film: string
  dataDir: string
  onEvent: (event: VerifiedEvent) => void
}): Promise<Integrator> {
  const { port } = options
  const caFile = join(options.dataDir, 'demo-ca.pem')
  const state = { secret: '', page: '' }
  const filmPath = `/${encodeURIComponent(basename(options.film))}`
  const handle: RequestListener = (request, response) => {
    if (request.url === filmPath) return void sendFilm(options.film, request, response)
    if (request.url === '/hook')
      return void receive(request, response, state.secret, options.onEvent)
    sendPage(response, state.page)
  }
  const hosts = ['localhost', '127.0.0.1']
  const host = { hosts, address: '127.0.0.1', port, caFile, handle }
  const close = await openHttpsHost(host).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRINUSE'
      ? new Error(`port ${port} is taken: free it, or set DEMO_PORT=443`)
      : error
  })
  const page = createServer((_request, response) => sendPage(response, state.page))
  await once(page.listen(0, '127.0.0.1'), 'listening')
  const baseUrl = `https://localhost:${port}`
  return {
    baseUrl,
    caFile,
    filmUrl: baseUrl + filmPath,
    pageUrl: `http://localhost:${(page.address() as AddressInfo).port}/`,
    setSecret: (secret) => (state.secret = secret),
    setPage: (html) => (state.page = html),
    async close() {
      page.close()
      page.closeAllConnections()
      await close()
    },
  }
}

const sendPage = (response: ServerResponse, html: string): void =>
  void response.setHeader('Content-Type', 'text/html; charset=utf-8').end(html)

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  secret: string,
  onEvent: (event: VerifiedEvent) => void,
): Promise<void> {
  const body = await text(request)
  const headers = request.headers as Record<string, string>
  const isVerified = isGenuine({ headers, body, receivedAtMs: Date.now() }, secret)
  response.writeHead(isVerified ? 200 : 400).end()
  const { type } = JSON.parse(body) as { type: string }
  onEvent({ type, isGenuine: isVerified })
}
