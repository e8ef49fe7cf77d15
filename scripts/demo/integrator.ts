import { createHmac, timingSafeEqual } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { basename, join } from 'node:path'
import { createAuthority } from '../../test/tls-authority.ts'

export interface VerifiedEvent {
  type: string
  isGenuine: boolean
}

/** The integrator's side of the demo: a site over https with a film, a webhook receiver and a page. */
export interface Integrator {
  baseUrl: string
  filmUrl: string
  /** PEM file of the authority behind its certificate. */
  caFile: string
  /** Until the secret is known, deliveries cannot be verified. */
  setSecret(secret: string): void
  /** What the page at `/` shows. */
  setPage(html: string): void
  close(): Promise<void>
}

const TOLERANCE_SECONDS = 300

/** Starts it on `port` (the contract allows 443 and 8443); a taken port is an error with its variable. */
export async function startIntegrator(options: {
  port: number
  film: string
  dataDir: string
  onEvent: (event: VerifiedEvent) => void
}): Promise<Integrator> {
  const authority = await createAuthority()
  const caFile = join(options.dataDir, 'demo-ca.pem')
  await writeFile(caFile, authority.caPem)
  const state = { secret: '', page: '' }
  const filmPath = `/${encodeURIComponent(basename(options.film))}`
  const server = createServer(
    await authority.issue(['localhost', '127.0.0.1']),
    (request, response) => {
      if (request.url === filmPath) return void sendFilm(options.film, request, response)
      if (request.url === '/hook')
        return void receive(request, response, state.secret, options.onEvent)
      response.setHeader('Content-Type', 'text/html; charset=utf-8').end(state.page)
    },
  )
  await listen(server, options.port)
  const baseUrl = `https://localhost:${options.port}`
  return {
    baseUrl,
    caFile,
    filmUrl: baseUrl + filmPath,
    setSecret: (secret) => (state.secret = secret),
    setPage: (html) => (state.page = html),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new Error(`port ${port} is taken: free it, or set DEMO_PORT=443`)
          : error,
      ),
    )
    server.listen(port, '127.0.0.1', resolve)
  })
}

async function sendFilm(
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { size } = await stat(path)
  const [, from] = /^bytes=(\d+)-$/.exec(request.headers.range ?? '') ?? []
  const start = Math.min(Number(from ?? 0), size)
  response.writeHead(from === undefined ? 200 : 206, {
    'Content-Type': 'video/mp4',
    'Content-Length': size - start,
    'Accept-Ranges': 'bytes',
    ...(from === undefined ? {} : { 'Content-Range': `bytes ${start}-${size - 1}/${size}` }),
  })
  if (request.method === 'HEAD') return void response.end()
  createReadStream(path, { start })
    .on('error', () => response.destroy())
    .pipe(response)
}

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  secret: string,
  onEvent: (event: VerifiedEvent) => void,
): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks)
  const isGenuine = verify(body, String(request.headers['service-signature']), secret)
  response.writeHead(isGenuine ? 200 : 400).end()
  const { type } = JSON.parse(body.toString('utf8')) as { type: string }
  onEvent({ type, isGenuine })
}

/** What every receiver does: the raw bytes first, in constant time, within five minutes. */
function verify(body: Buffer, header: string, secret: string): boolean {
  const [, t = '0', v1 = ''] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? []
  if (Math.abs(Date.now() / 1000 - Number(t)) > TOLERANCE_SECONDS) return false
  const expected = createHmac('sha256', secret).update(`${t}.`).update(body).digest()
  return timingSafeEqual(expected, Buffer.from(v1.padEnd(64, '0'), 'hex'))
}
