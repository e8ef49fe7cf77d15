import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { PIECE_BYTES } from '../../domain/ingest/source-tail.ts'
import { createReadWatch, isOfThisUser } from './loopback-connection.ts'

/** A source that tools of this machine read over HTTP. */
export interface SourceServer {
  /** For `inputArguments`. */
  address: string
  close(): Promise<void>
}

interface ServedSource {
  /** Ends the address, so that a list of processes shows which video a tool works on. */
  name: string
  sizeBytes: number
  /** Reads piece `index` of the file, from 0. */
  readPiece: (index: number) => Promise<Uint8Array>
  /** True if pieces come from this machine, so one that a tool does not take costs little. */
  isLocal: boolean
  /** Called if a piece cannot be read. A tool takes the cut connection for the end of the file. */
  onFault: (error: unknown) => void
}

/**
 * Serves one source to the tools of this machine, decrypted: on the loopback only, at an address that cannot be
 * guessed, to GET and HEAD requests for a range, and on Linux only to processes of the same user, because
 * every user of the machine can see the address in command lines. Fetches a piece when a tool has taken the one before.
 */
export async function serveSource(source: ServedSource): Promise<SourceServer> {
  const path = `/${randomBytes(16).toString('hex')}/${source.name}`
  const server = createServer((request, response) => {
    respond(source, path, request, response).catch((error: unknown) => {
      source.onFault(error)
      response.destroy()
    })
  })
  server.unref().listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { address: `http://127.0.0.1:${portOf(server)}${path}`, close: () => close(server) }
}

function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return address.port
}

function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => void server.close(() => resolve()))
  server.closeAllConnections()
  return closed
}

async function respond(
  source: ServedSource,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method, url, headers, socket } = request
  const refuse = (status: number): void => void response.writeHead(status).end()
  if (method !== 'GET' && method !== 'HEAD') return refuse(405)
  if (url !== path || !(await isOfThisUser(socket))) return refuse(404)
  const range = rangeOf(headers.range, source.sizeBytes)
  if (!range) return refuse(416)
  const [first, last] = range
  response.writeHead(206, {
    'accept-ranges': 'bytes',
    'content-type': 'application/octet-stream',
    'content-length': last - first + 1,
    'content-range': `bytes ${first}-${last}/${source.sizeBytes}`,
  })
  if (method === 'HEAD') return void response.end()
  // A tool closes its connection whenever it seeks.
  await pipeline(bytesOf(source, socket, first, last), response).catch(() => {})
}

/** The first and the last byte of a request for one range; null for any other request. */
function rangeOf(header: string | undefined, sizeBytes: number): [number, number] | null {
  const [, start, end] = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (start === undefined) return null
  const first = Number(start)
  const last = end ? Math.min(Number(end), sizeBytes - 1) : sizeBytes - 1
  return first <= last ? [first, last] : null
}

async function* bytesOf(
  { readPiece, isLocal, onFault }: ServedSource,
  socket: Socket,
  first: number,
  last: number,
): AsyncGenerator<Uint8Array> {
  const untilRead = createReadWatch(socket)
  for (let at = first; at <= last;) {
    const index = Math.floor(at / PIECE_BYTES)
    if (at > first && !isLocal) await untilRead()
    const piece = await readPiece(index).catch((error: unknown) => {
      onFault(error)
      throw error
    })
    const begin = index * PIECE_BYTES
    const end = Math.min(begin + piece.length, last + 1)
    yield piece.subarray(at - begin, end - begin)
    at = end
  }
}
