import { createServer } from 'node:http'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** An integrator's server on their own machine: plain http, which can go away and come back. */
export interface LocalServer {
  url: string
  received: { headers: IncomingHttpHeaders; body: string }[]
  answer: (response: ServerResponse) => void
  open(): Promise<void>
  close(): Promise<void>
}

/** Opens it on a free port, which it keeps. */
export async function openLocalServer(): Promise<LocalServer> {
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      local.received.push({ headers: request.headers, body })
      local.answer(response)
    })
  })
  let port = 0
  const local: LocalServer = {
    url: '',
    received: [],
    answer: (response) => void response.writeHead(204).end(),
    open: () => new Promise((resolve) => server.listen(port, '127.0.0.1', resolve)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  await local.open()
  port = (server.address() as AddressInfo).port
  local.url = `http://127.0.0.1:${port}/hook`
  return local
}
