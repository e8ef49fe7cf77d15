import { sleep } from '../sleep.ts'

/** One request to the address of an upload. */
export interface UploadRequest {
  method: 'HEAD' | 'PUT' | 'DELETE'
  url: string
  headers: Record<string, string>
  body: Blob | null
  /** Called with how many bytes of the body have left so far. */
  onSent: (bytes: number) => void
  signal: AbortSignal
}

export interface UploadResponse {
  status: number
  headers: Headers
  text: string
}

/** How an upload reaches the network, and how it waits for it. */
export interface UploadTransport {
  /** Rejects for a lost connection, and with the signal's reason. */
  send: (request: UploadRequest) => Promise<UploadResponse>
  /** Resolves after `ms`, or earlier if the network is back; rejects with the signal's reason. */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

/** Sends with fetch. The body is a stream, so that its progress is known; Node sends its length too. */
export const fetchTransport = (
  fetch: (request: Request) => Promise<Response> = (request) => globalThis.fetch(request),
): UploadTransport => ({
  sleep,
  async send({ method, url, headers, body, onSent, signal }) {
    const init = { method, headers, signal, redirect: 'manual' as const }
    const request =
      body === null || body.size === 0
        ? new Request(url, init)
        : new Request(url, {
            ...init,
            headers: { ...headers, 'Content-Length': String(body.size) },
            body: counted(body, onSent),
            duplex: 'half',
          } as RequestInit)
    const response = await fetch(request)
    const text = await response.text()
    return { status: response.status, headers: response.headers, text }
  },
})

const STEP_BYTES = 256 << 10

/** The bytes of a body in steps, each of which is reported when the network asks for it. */
function counted(body: Blob, onSent: (bytes: number) => void): ReadableStream<Uint8Array> {
  let sentBytes = 0
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const step = await body.slice(sentBytes, sentBytes + STEP_BYTES).arrayBuffer()
        sentBytes += step.byteLength
        onSent(sentBytes)
        controller.enqueue(new Uint8Array(step))
        if (sentBytes === body.size) controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}
