import { createReadStream } from 'node:fs'
import { stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { createAuthority } from '../tls-authority.ts'

/** A delivery as it arrived. */
export interface ReceivedWebhook {
  headers: Record<string, string>
  body: string
  receivedAtMs: number
}

/**
 * An integrator's server on an address of its own: https on port 8443 with a certificate of its own
 * authority, films under `/films/<name>` (HEAD and ranges) and a webhook receiver at `/hook`.
 */
export interface OutsideHost {
  baseUrl: string
  /** The authority's certificate, for EGRESS_CA_FILE. */
  caFile: string
  received: ReceivedWebhook[]
  requests: { method: string; url: string; range: string | null }[]
  /** What `/hook` answers from now on. */
  answerWith(status: number): void
  close(): Promise<void>
}

/** Serves `films` (name to path). Each host has a loopback address of its own, so that tests run side by side. */
export async function openOutsideHost(
  folder: string,
  films: Record<string, string>,
): Promise<OutsideHost> {
  const octet = () => 1 + Math.floor(Math.random() * 250)
  const address = `127.${octet()}.${octet()}.${octet()}`
  const authority = await createAuthority()
  const caFile = join(folder, 'outside-ca.pem')
  await writeFile(caFile, authority.caPem)
  const received: ReceivedWebhook[] = []
  const requests: OutsideHost['requests'] = []
  let hookStatus = 200
  const server = createServer(await authority.issue([address]), (request, response) => {
    const { method = '', url = '' } = request
    requests.push({ method, url, range: request.headers.range ?? null })
    if (url === '/hook') return void receive(request, response, received, () => hookStatus)
    const path = films[decodeURIComponent(url.replace(/^\/films\//, '').replace(/\?.*$/, ''))]
    if (path === undefined) return void response.writeHead(404).end()
    void sendFilm(path, request, response)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(8443, address, resolve)
  })
  return {
    baseUrl: `https://${address}:8443`,
    caFile,
    received,
    requests,
    answerWith: (status) => (hookStatus = status),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  received: ReceivedWebhook[],
  status: () => number,
): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const headers = request.headers as Record<string, string>
  received.push({ headers, body: Buffer.concat(chunks).toString(), receivedAtMs: Date.now() })
  response.writeHead(status()).end()
}

async function sendFilm(
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { size } = await stat(path)
  const [, from] = /^bytes=(\d+)-$/.exec(request.headers.range ?? '') ?? []
  const start = Number(from ?? 0)
  response.writeHead(from === undefined ? 200 : 206, {
    'Content-Type': 'video/mp4',
    'Content-Length': size - start,
    'Accept-Ranges': 'bytes',
    ETag: `"${size}"`,
    ...(from === undefined ? {} : { 'Content-Range': `bytes ${start}-${size - 1}/${size}` }),
  })
  if (request.method === 'HEAD') return void response.end()
  createReadStream(path, { start })
    .on('error', () => response.destroy())
    .pipe(response)
}
