import {
  createServer,
  type IncomingHttpHeaders,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { closeServer } from './close-server.ts'

/** One request as a receiver saw it. */
interface Received {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: string
  atMs: number
}

/** A listener that records requests and responds with the current value of `respond`. */
export interface WebhookReceiver {
  received: Received[]
  respond: (response: ServerResponse) => void
  listener: RequestListener
}

export function createReceiver(): WebhookReceiver {
  const receiver: WebhookReceiver = {
    received: [],
    respond: (response) => void response.end('ok'),
    listener: (request, response) => {
      void text(request).then((body) => {
        const { method = '', url = '', headers } = request
        receiver.received.push({ method, url, headers, body, atMs: Date.now() })
        receiver.respond(response)
      })
    },
  }
  return receiver
}

/** A receiver on an integrator's machine: plain http, which can stop and restart. */
export interface LocalReceiver extends WebhookReceiver {
  url: string
  open(): Promise<void>
  close(): Promise<void>
}

/** Opens a receiver on a free port, which it uses again after `close` and `open`. */
export async function openLocalReceiver(): Promise<LocalReceiver> {
  const receiver = createReceiver()
  const server = createServer(receiver.listener)
  const open = (port: number) =>
    new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  await open(0)
  const { port } = server.address() as AddressInfo
  receiver.respond = (response) => void response.writeHead(204).end()
  return Object.assign(receiver, {
    url: `http://127.0.0.1:${port}/hook`,
    open: () => open(port),
    close: () => closeServer(server),
  })
}
