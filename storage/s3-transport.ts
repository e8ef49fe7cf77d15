import {
  Agent as HttpAgent,
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { Socket } from 'node:net'

/** How long each phase of a request to S3 may take, in milliseconds. */
export interface S3Limits {
  /** Lookup of the name, TCP and TLS. */
  connectMs: number
  /** Until a response begins to a request for an object's bytes or facts. */
  readMs: number
  /** Until a response begins to any other request: it may flush a disk, list a folder or delete 1,000 objects. */
  otherMs: number
  /** Until a response begins to the request that joins the parts of an upload: some servers copy all of them. */
  joinMs: number
  /** Without a byte in either direction, while a body is sent or received. */
  idleMs: number
}

export const S3_LIMITS: S3Limits = {
  connectMs: 5_000,
  readMs: 15_000,
  otherMs: 60_000,
  joinMs: 15 * 60_000,
  idleMs: 20_000,
}

/** Of a process that viewers wait for: the second or third attempt of a read still has a response within 10 s. */
export const VIEWER_LIMITS: S3Limits = { ...S3_LIMITS, connectMs: 2_500, readMs: 2_500 }

/** S3 let a phase of a request pass without progress. */
class S3TimeoutError extends Error {
  override name = 'S3TimeoutError'
  readonly code = 'ETIMEDOUT'
}

/** Statuses of a server that is busy or failing. The client drops their bodies. */
const BUSY_STATUSES: readonly number[] = [408, 429, 499, 500, 502, 503, 504, 520]

/** The transport of an S3 client with its connections: ends each request that makes no progress within `limits`. */
export function createS3Transport(isSecure: boolean, limits: S3Limits) {
  // The time after which Node's own agents close an unused connection.
  const options = { keepAlive: true, scheduling: 'lifo', timeout: 5_000 } as const
  const send = isSecure ? httpsRequest : httpRequest
  const request = (
    to: RequestOptions,
    onResponse: (response: IncomingMessage) => void,
  ): ClientRequest => {
    const sent = send(to, (response) => {
      // Otherwise the connection of a response that nothing reads would stay open.
      if (BUSY_STATUSES.includes(response.statusCode ?? 0)) response.resume()
      onResponse(response)
    })
    return endWhenStuck(sent, isSecure, { ...limits, headMs: headMsOf(to, limits) })
  }
  const transportAgent = isSecure ? new HttpsAgent(options) : new HttpAgent(options)
  // The client calls nothing else, but its type asks for all forms of Node's function.
  return { transport: { request: request as typeof httpsRequest }, transportAgent }
}

function headMsOf({ method, path }: RequestOptions, limits: S3Limits): number {
  const [, query = ''] = (path ?? '').split('?')
  if (method === 'POST' && query.startsWith('uploadId=')) return limits.joinMs
  return (method === 'GET' || method === 'HEAD') && query === '' ? limits.readMs : limits.otherMs
}

type Timing = Pick<S3Limits, 'connectMs' | 'idleMs'> & { headMs: number }

function endWhenStuck(
  request: ClientRequest,
  isSecure: boolean,
  { connectMs, headMs, idleMs }: Timing,
): ClientRequest {
  let timer: NodeJS.Timeout | undefined
  /** Calls `end` after `ms`, unless the next phase begins before. `isMoving` begins the time again. */
  const within = (ms: number, end: () => unknown, isMoving = () => false): void => {
    clearTimeout(timer)
    const due = (): void => {
      // After a pause of this process, what arrived meanwhile is read before the check.
      setImmediate(() => {
        if (timer !== running) return
        if (isMoving()) running.refresh()
        else end()
      })
    }
    const running = setTimeout(due, ms)
    timer = running
  }
  const endRequest = (what: string) => () => request.destroy(new S3TimeoutError(what))
  within(connectMs, endRequest(`no connection to S3 within ${connectMs} ms`))
  request.once('socket', (socket) => {
    const begin = (): void =>
      within(idleMs, endRequest(`S3 took no byte for ${idleMs} ms`), moves(socket))
    if (socket.connecting) socket.once(isSecure ? 'secureConnect' : 'connect', begin)
    else begin()
  })
  request.once('finish', () =>
    within(headMs, endRequest(`no response from S3 within ${headMs} ms`)),
  )
  request.once('response', (response) => {
    const isRead = moves(response.socket)
    const stopped = new S3TimeoutError(`S3 sent no byte for ${idleMs} ms`)
    // A reader that is slower than S3 is not the fault of S3.
    const isMoving = () => isRead() || response.readableLength > 0
    within(idleMs, () => response.destroy(stopped), isMoving)
  })
  request.once('close', () => {
    clearTimeout(timer)
    timer = undefined
  })
  return request
}

/** Returns a function that says whether bytes have passed since its last call. */
function moves(socket: Socket): () => boolean {
  const passed = (): number => socket.bytesRead + socket.bytesWritten - socket.writableLength
  let before = passed()
  return () => {
    const now = passed()
    const isMoving = now !== before
    before = now
    return isMoving
  }
}
