import { createReadStream } from 'node:fs'
import { stat, writeFile } from 'node:fs/promises'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { createAuthority } from './tls-authority.ts'

export interface HttpsHostOptions {
  /** Names and addresses in the certificate. */
  hosts: string[]
  address: string
  port: number
  /** File to write the authority's certificate to, for EGRESS_CA_FILE. */
  caFile: string
  handle: RequestListener
}

/** Starts an https server with a certificate of a new authority. Resolves to a function that closes it. */
export async function openHttpsHost(options: HttpsHostOptions): Promise<() => Promise<void>> {
  const { hosts, address, port, caFile, handle } = options
  const authority = await createAuthority()
  await writeFile(caFile, authority.caPem)
  const server = createServer(await authority.issue(hosts), handle)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, address, resolve)
  })
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
}

/** Sends a video file, or the rest of it from the requested offset, like a file host. */
export async function sendFile(
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
    ETag: `"${size}"`,
    ...(from === undefined ? {} : { 'Content-Range': `bytes ${start}-${size - 1}/${size}` }),
  })
  if (request.method === 'HEAD') return void response.end()
  createReadStream(path, { start })
    .on('error', () => response.destroy())
    .pipe(response)
}
