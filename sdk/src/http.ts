import createOpenApiClient from 'openapi-fetch'
import type { Client, FetchResponse } from 'openapi-fetch'
import { ReelgateError } from './error.ts'
import type { operations, paths } from './schema.ts'
import { createTransport } from './transport.ts'
import type { TransportOptions } from './transport.ts'
import type { Answer } from './types.ts'
import { VERSION } from './version.ts'

/** The typed request layer: paths, parameters, bodies and answers come from the OpenAPI document. */
export type Http = Client<paths>

/** What every call takes. */
export interface CallOptions {
  /** Ends the call, the waits between its tries included. */
  signal?: AbortSignal | undefined
}

/** What every POST takes. */
export interface CreateOptions extends CallOptions {
  /** One key a logical request; a random UUID by default. Give your own to survive a restart. */
  idempotencyKey?: string | undefined
}

/** Opens the request layer on `baseUrl`, with the key in each request. */
export function createHttp(options: TransportOptions & { baseUrl: string; apiKey: string }): Http {
  const http = createOpenApiClient<paths>({
    baseUrl: options.baseUrl,
    headers: {
      Authorization: `Bearer ${options.apiKey}`,
      Accept: 'application/json',
      // Browsers keep their own.
      'User-Agent': `reelgate-sdk/${VERSION}`,
    },
    // The API sends none: what does is another server, and the key must not go where it points.
    redirect: 'manual',
    fetch: createTransport(options),
  })
  // Before the first try, so that every try of one logical request carries the same key.
  http.use({
    onRequest({ request }) {
      if (request.method === 'POST' && !request.headers.has('Idempotency-Key'))
        request.headers.set('Idempotency-Key', crypto.randomUUID())
    },
  })
  return http
}

/** The part of a request that the caller's options decide. */
export function initOf({ signal, idempotencyKey }: CreateOptions): {
  signal: AbortSignal | null
  headers: Record<string, string>
} {
  const headers = idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }
  return { signal: signal ?? null, headers: headers as Record<string, string> }
}

type Outcome<O extends keyof operations> = FetchResponse<
  operations[O],
  object,
  `${string}/${string}`
>

/** The body of a 2xx answer to operation `O`; every other outcome has thrown, see createTransport. */
export async function answerOf<O extends keyof operations>(
  call: Promise<Outcome<O>>,
): Promise<Answer<O>> {
  let body: unknown
  try {
    body = (await call).data
  } catch (error) {
    if (error instanceof SyntaxError) throw invalidResponse(error)
    throw error
  }
  if (body === undefined) throw invalidResponse()
  // The call's own type is this one without the fields that are always null: openapi-fetch drops them.
  return body as Answer<O>
}

const invalidResponse = (cause?: SyntaxError): ReelgateError =>
  new ReelgateError({
    type: 'connection_error',
    code: 'invalid_response',
    message: 'The answer is not JSON: is baseUrl the address of the API?',
    cause,
  })
