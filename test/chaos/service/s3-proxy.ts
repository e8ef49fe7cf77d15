import { once } from 'node:events'
import {
  createServer,
  request as sendRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { parsePartKey } from '../../../domain/videos/media-paths.ts'

/** How an S3 server misbehaves; null for not at all. When it is hung, the requests that begin never get a response. */
export type S3Trouble = 'slow' | '503' | 'away' | 'hung' | null

/** An S3 server that can misbehave: a proxy in front of a real one, which keeps the signed headers. */
export interface S3Proxy {
  endpoint: string
  become(trouble: S3Trouble): void
  /** Resolves when the next segment of a video is stored; the response is held back. */
  holdUpload(): Promise<HeldUpload>
  /** Never responds to the next request that reads an object of `isMeant`. Resolves when it has come. */
  swallowRead(isMeant: (key: string) => boolean): Promise<void>
  close: () => Promise<void>
}

interface HeldUpload {
  videoId: string
  release(): void
}

const SLOW_MS = 1_500
const BUSY = `<?xml version="1.0"?><Error><Code>SlowDown</Code><Message>Reduce your request rate.</Message></Error>`

export async function openS3Proxy(target: string): Promise<S3Proxy> {
  const { hostname, port } = new URL(target)
  let trouble: S3Trouble = null
  let onUpload: ((upload: HeldUpload) => void) | null = null
  let onRead: ((key: string) => boolean) | null = null
  const pass = (request: IncomingMessage, response: ServerResponse): void => {
    const upstream = sendRequest(
      { hostname, port, method: request.method, path: request.url, headers: request.headers },
      (reply) => {
        const send = (): void => {
          response.writeHead(reply.statusCode ?? 502, reply.rawHeaders)
          reply.on('error', () => response.destroy()).pipe(response)
        }
        const videoId = request.method === 'PUT' ? videoOfSegment(request.url) : null
        if (onUpload === null || videoId === null) return send()
        onUpload({ videoId, release: send })
        onUpload = null
      },
    )
    upstream.on('error', () => response.destroy())
    response.on('close', () => upstream.destroy())
    request.pipe(upstream)
  }
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (trouble === 'away') return void request.socket.destroy()
    if (trouble === 'hung') return void request.resume()
    if (request.method === 'GET' && onRead?.(objectKey(request.url))) return
    if (trouble === '503') {
      response.writeHead(503, { 'Content-Type': 'application/xml', Connection: 'close' })
      return void response.end(BUSY)
    }
    if (trouble === 'slow') await sleep(SLOW_MS)
    pass(request, response)
  }
  const server = createServer((request, response) => void handle(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    become(next) {
      trouble = next
      if (next === 'away') server.closeAllConnections()
    },
    holdUpload: () => new Promise((resolve) => (onUpload = resolve)),
    swallowRead: (isMeant) =>
      new Promise((resolve) => {
        onRead = (key) => {
          if (!isMeant(key)) return false
          onRead = null
          resolve()
          return true
        }
      }),
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** The key of the object that a request names. */
const objectKey = (url = ''): string => new URL(url, 'http://s3').pathname.replace(/^\/[^/]+\//, '')

function videoOfSegment(url = ''): string | null {
  const key = objectKey(url)
  return parsePartKey(key) && (key.split('/')[1] ?? null)
}
