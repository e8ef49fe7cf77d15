import { errorFromResponse, invalidArgument, ReelgateError } from '../error.ts'
import { timedSend, type TimedRequest } from './timed-send.ts'
import type { UploadResponse, UploadTransport } from './transport.ts'

/** What the service has of an upload. */
export interface Stored {
  offsetBytes: number
  /** Null until a client has said it. */
  sizeBytes: number | null
  /** Null until the last byte is stored. */
  videoId: string | null
}

/** Bytes of the file that follow those that are stored. */
export interface Piece {
  startByte: number
  body: Blob
  /** Of the whole file; null while it is unknown. */
  sizeBytes: number | null
}

/** The address of one upload. Each call sends one request and throws a ReelgateError, or the signal's reason. */
export interface UploadAddress {
  /** Asks how far the upload is. */
  read: () => Promise<Stored>
  send: (piece: Piece, onSent: (bytes: number) => void) => Promise<Stored>
  /** Ends the upload; what is stored of it is removed. */
  cancel: () => Promise<void>
}

const TUS = { 'Tus-Resumable': '1.0.0' }
/** HEAD has no body, so its status alone says what is wrong. */
const CODES_OF_HEAD: Record<number, [code: string, message: string]> = {
  403: ['upload_origin_not_allowed', 'Pages of this site may not send this upload.'],
  404: ['upload_not_found', 'There is no such upload: it has expired or was cancelled.'],
}

/** Returns the address of an upload. Throws a ReelgateError `invalid_parameter` for another value. */
export function openUploadAddress(
  uploadUrl: string | URL,
  transport: UploadTransport,
  signal: AbortSignal,
): UploadAddress {
  const url = String(uploadUrl)
  if (!isWebAddress(url)) throw invalidArgument('uploadUrl', 'must be the upload_url of an upload')
  const call = async (request: Omit<TimedRequest, 'url'>): Promise<UploadResponse> => {
    const response = await timedSend(transport, { ...request, url }, signal)
    if (response.status < 200 || response.status > 299) throw errorOf(response, request.method)
    return response
  }
  return {
    async read() {
      const { headers } = await call({ method: 'HEAD', headers: TUS, body: null })
      const offsetBytes = bytesOf(headers.get('Upload-Offset'))
      if (offsetBytes === null) throw invalidResponse()
      return { offsetBytes, sizeBytes: bytesOf(headers.get('Upload-Length')), videoId: null }
    },
    async send({ startByte, body, sizeBytes }, onSent) {
      // An empty piece only says how large the file is, and ends it.
      const lastByte = startByte + Math.max(0, body.size - 1)
      const headers = {
        'Content-Type': 'application/octet-stream',
        'Content-Range': `bytes ${startByte}-${lastByte}/${sizeBytes ?? '*'}`,
      }
      const { text } = await call({ method: 'PUT', headers, body, onSent })
      return { ...progressOf(text), sizeBytes }
    },
    async cancel() {
      await call({ method: 'DELETE', headers: TUS, body: null })
    },
  }
}

function isWebAddress(url: string): boolean {
  try {
    return /^https?:$/.test(new URL(url).protocol)
  } catch {
    return false
  }
}

/** Whether the service itself sent a response; a proxy on the way, such as one whose servers restart, does not count. */
export const isOfService = (error: ReelgateError): boolean => error.requestId !== undefined

function errorOf({ status, headers, text }: UploadResponse, method: string): ReelgateError {
  if (status === 0 || (status >= 300 && status < 400))
    return new ReelgateError({
      type: 'connection_error',
      code: 'unexpected_redirect',
      message: 'The address of the upload redirects, which is not followed.',
    })
  const error = errorFromResponse(status, headers, parsed(text))
  const known = method === 'HEAD' && isOfService(error) ? CODES_OF_HEAD[status] : undefined
  if (known === undefined) return error
  const [code, message] = known
  const { requestId } = error
  return new ReelgateError({ type: 'invalid_request_error', code, message, status, requestId })
}

function progressOf(text: string): Pick<Stored, 'offsetBytes' | 'videoId'> {
  const body = parsed(text)
  if (typeof body !== 'object' || body === null) throw invalidResponse()
  const { offset_bytes: offsetBytes, video_id: videoId } = body as Record<string, unknown>
  if (typeof offsetBytes !== 'number') throw invalidResponse()
  return { offsetBytes, videoId: typeof videoId === 'string' ? videoId : null }
}

const bytesOf = (header: string | null): number | null =>
  header !== null && /^\d{1,15}$/.test(header) ? Number(header) : null

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const invalidResponse = (): ReelgateError =>
  new ReelgateError({
    type: 'connection_error',
    code: 'invalid_response',
    message: 'The response is not that of an upload: is uploadUrl an upload_url?',
  })
