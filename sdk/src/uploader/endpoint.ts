import { errorFromResponse, invalidArgument, ReelgateError } from '../error.ts'

/**
 * Asks the server of the page for an upload of this file: POST with its `filename` and `size_bytes`, which is responded to with an
 * `upload_url`. Throws a ReelgateError, with the code of the response if it has one.
 */
export async function askEndpoint(
  endpoint: string,
  { name, size }: File,
  signal: AbortSignal,
): Promise<string> {
  if (endpoint === '') throw invalidArgument('endpoint', 'or upload-url must be set')
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify({ filename: name, size_bytes: size }),
    signal,
  }).catch((cause: unknown) => {
    signal.throwIfAborted()
    throw failed('connection_failed', 'The server of the page cannot be reached.', cause)
  })
  const body: unknown = await response.json().catch(() => null)
  if (!response.ok) throw errorFromResponse(response.status, response.headers, body)
  const url = (body as { upload_url?: unknown } | null)?.upload_url
  if (typeof url !== 'string')
    throw failed('invalid_response', 'The server of the page has sent no upload_url.')
  return url
}

const failed = (code: string, message: string, cause?: unknown): ReelgateError =>
  new ReelgateError({ type: 'connection_error', code, message, cause })
