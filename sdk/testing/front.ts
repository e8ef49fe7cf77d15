import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/**
 * What happens to one request on its way: `refuse` drops it unread, `lose-answer` lets the API do the
 * work and drops the answer, `cut-answer` breaks the answer off in its body, `stall` answers nothing;
 * an object is answered by the front itself.
 */
export type Fault =
  | 'refuse'
  | 'lose-answer'
  | 'cut-answer'
  | 'stall'
  | { status: number; headers?: Record<string, string>; body?: string }

/** A real server between a client and the API, so that the network can fail where a test wants it. */
export interface Front {
  url: string
  /** What has arrived, failed requests included. */
  seen: { method: string; path: string; headers: IncomingMessage['headers']; atMs: number }[]
  /** The fates of the next requests, in order; after them, and by default, everything passes. */
  failNext(...faults: Fault[]): void
  close(): Promise<void>
}

/** Opens a front before the API at `target`. */
export async function openFront(target: () => string): Promise<Front> {
  const seen: Front['seen'] = []
  const faults: Fault[] = []
  const server = createServer((request, response) => {
    const { method = '', url: path = '', headers } = request
    seen.push({ method, path, headers, atMs: Date.now() })
    handle(target() + path, request, response, faults.shift()).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    failNext: (...next) => void faults.splice(0, faults.length, ...next),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function handle(
  url: string,
  request: IncomingMessage,
  response: ServerResponse,
  fault: Fault | undefined,
): Promise<void> {
  if (fault === 'refuse') return void request.socket.destroy()
  if (fault === 'stall') return
  if (typeof fault === 'object')
    return void response.writeHead(fault.status, fault.headers).end(fault.body)
  const answer = await pass(url, request)
  if (fault === 'lose-answer') return void request.socket.destroy()
  const body = Buffer.from(await answer.arrayBuffer())
  const headers = Object.fromEntries(answer.headers)
  for (const name of ['transfer-encoding', 'connection', 'content-encoding']) delete headers[name]
  response.writeHead(answer.status, { ...headers, 'content-length': String(body.length) })
  if (fault !== 'cut-answer') return void response.end(body)
  response.write(body.subarray(0, body.length >> 1), () => request.socket.destroy())
}

async function pass(url: string, request: IncomingMessage): Promise<Response> {
  const { method = 'GET' } = request
  const headers = new Headers(request.headers as Record<string, string>)
  for (const name of ['host', 'connection', 'content-length', 'transfer-encoding'])
    headers.delete(name)
  const body = await buffer(request)
  return fetch(url, { method, headers, ...(body.length > 0 ? { body: new Uint8Array(body) } : {}) })
}
