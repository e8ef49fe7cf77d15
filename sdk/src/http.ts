import createOpenApiClient, {
  defaultPathSerializer,
  type Client,
  type FetchResponse,
} from 'openapi-fetch'
import { invalidArgument, ReelgateError } from './error.ts'
import type { operations, paths } from './schema.ts'
import { createTransport, isAfterLostResponse, type TransportOptions } from './transport.ts'
import type { Answer } from './types.ts'
import { VERSION } from './version.ts'

/**
 * The typed request layer. Its paths, parameters, bodies and responses come from the OpenAPI
 * document.
 */
export type Http = Client<paths>

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call, including the delays between its attempts. */
  signal?: AbortSignal | undefined
}

/** Options of every POST. */
export interface CreateOptions extends CallOptions {
  /**
   * Identifies a logical request; a random UUID by default. Pass your own key to survive a restart.
   */
  idempotencyKey?: string | undefined
}

/** Options of a change or a deletion of a video, a folder or a webhook endpoint. */
export interface ChangeOptions extends CreateOptions {
  /**
   * The ETag of the object that the change starts from (`etagOf`). If another change came first, the
   * call is refused with `precondition_failed`.
   */
  ifMatch?: string | undefined
}

/** Creates the request layer for `baseUrl`; every request contains the API key. */
export function createHttp(options: TransportOptions & { baseUrl: string; apiKey: string }): Http {
  const http = createOpenApiClient<paths>({
    baseUrl: options.baseUrl,
    headers: {
      Authorization: `Bearer ${options.apiKey}`,
      Accept: 'application/json',
      // Browsers ignore this header.
      'User-Agent': `reelgate-sdk/${VERSION}`,
    },
    // The API sends no redirects. Another server could, and must not receive the key.
    redirect: 'manual',
    pathSerializer: fillPath,
    fetch: createTransport(options),
  })
  // Set before the first attempt, so that all attempts of a logical request have the same key.
  http.use({
    onRequest({ request }) {
      // A repeat with If-Match would not match what its first attempt has changed.
      const needsKey = request.method === 'POST' || request.headers.has('If-Match')
      if (needsKey && !request.headers.has('Idempotency-Key'))
        request.headers.set('Idempotency-Key', crypto.randomUUID())
    },
  })
  return http
}

/** Converts the caller's options to the options of a request. */
export function toInit({ signal, idempotencyKey, ifMatch }: ChangeOptions): {
  signal: AbortSignal | null
  headers: Record<string, string>
} {
  const headers: Record<string, string> = {}
  if (idempotencyKey !== undefined) headers['Idempotency-Key'] = idempotencyKey
  if (ifMatch !== undefined) headers['If-Match'] = ifMatch
  return { signal: signal ?? null, headers }
}

/** The options of a request to a path with these parameters. */
export const atPath = <Path extends object>(path: Path, options: ChangeOptions) => ({
  params: { path },
  ...toInit(options),
})

/** Inserts the parameters of a path. Throws for one that would make it the path of another operation, as '' does. */
function fillPath(path: string, params: Record<string, unknown>): string {
  for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g)) {
    const value = params[name]
    if (!['string', 'number'].includes(typeof value) || /^\.{0,2}$/.test(String(value)))
      throw invalidArgument(name, 'must be an id')
  }
  return defaultPathSerializer(path, params)
}

const etags = new WeakMap<object, string>()

/**
 * Returns the ETag of a video, a folder or a webhook endpoint that a call resolved to; undefined for
 * an item of a list and for a copy.
 */
export const etagOf = (object: object): string | undefined => etags.get(object)

type Outcome<O extends keyof operations> = FetchResponse<
  operations[O],
  object,
  `${string}/${string}`
>

/** Returns the body of a 2xx response to operation `O`; createTransport has thrown for all others. */
export async function unwrap<O extends keyof operations>(
  call: Promise<Outcome<O>>,
): Promise<Answer<O>> {
  let body: unknown
  try {
    const { data, response } = await call
    body = data
    const etag = response.headers.get('ETag')
    if (etag !== null && typeof data === 'object' && data !== null) etags.set(data, etag)
  } catch (error) {
    if (error instanceof SyntaxError) throw invalidResponse(error)
    throw error
  }
  if (body === undefined) throw invalidResponse()
  // openapi-fetch omits fields that are always null from its type of the response.
  return body as Answer<O>
}

/**
 * Resolves to the body of the response to a DELETE. After a lost response, 404 means that an earlier attempt has
 * deleted the object: resolves to `gone`, which is what that response said.
 */
export const deletedOf = <T extends object>(call: Promise<T>, gone: T): Promise<T> =>
  call.catch((error: unknown) => {
    if (!(error instanceof ReelgateError) || !isAfterLostResponse(error)) throw error
    if (error.status !== 404 || !error.code.endsWith('_not_found')) throw error
    return gone
  })

const invalidResponse = (cause?: SyntaxError): ReelgateError =>
  new ReelgateError({
    type: 'connection_error',
    code: 'invalid_response',
    message: 'The response is not JSON: is baseUrl the address of the API?',
    cause,
  })
