import { connect, type Socket } from 'node:net'

interface Head {
  method?: string
  path: string
  /** Pairs for a header that comes twice. */
  headers: Record<string, string> | [name: string, value: string][]
}

export interface RawResponse {
  status: number
  head: string
  json: { error?: { code: string; message: string } }
}

/** A request whose parts a test sends one by one. */
export interface RawRequest {
  socket: Socket
  /** What has arrived so far. */
  received: () => string
  /** Resolves to the first final response, even if the request is not complete. */
  response: () => Promise<RawResponse>
}

/** Opens a connection to `base` and sends the head of a request. */
export function sendHead(base: string, { method = 'POST', path, headers }: Head): RawRequest {
  const { hostname, port, host } = new URL(base)
  const socket = connect(Number(port), hostname)
  let text = ''
  socket.on('error', () => {})
  socket.on('data', (bytes: Buffer) => (text += bytes.toString()))
  const pairs = Array.isArray(headers) ? headers : Object.entries(headers)
  const lines = [['Host', host], ...pairs].map(([name, value]) => `${name}: ${value}`)
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  const response = async (): Promise<RawResponse> => {
    for (;;) {
      const found = parseResponse(text)
      if (found) return found
      if (socket.closed) throw new Error(`the connection ended after ${JSON.stringify(text)}`)
      await new Promise((resolve) => {
        socket.once('data', resolve)
        socket.once('close', resolve)
      })
    }
  }
  return { socket, received: () => text, response }
}

/** The first response that is not 1xx; null if it has not arrived completely. */
function parseResponse(text: string): RawResponse | null {
  const rest = text.replace(/^(HTTP\/1\.1 1\d\d [^\r]*\r\n\r\n)+/, '')
  const end = rest.indexOf('\r\n\r\n')
  if (end === -1) return null
  const head = rest.slice(0, end)
  const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
  const body = Buffer.from(rest.slice(end + 4))
  if (body.length < length) return null
  const json = body.subarray(0, length).toString()
  return {
    status: Number(head.split(' ')[1]),
    head,
    json: json.startsWith('{') ? (JSON.parse(json) as RawResponse['json']) : {},
  }
}
