import type { Middleware } from 'openapi-fetch'
import { randomId } from './random-id.ts'

/** The keys of POSTs that have not succeeded, by their address and body. */
const keys = new Map<string, string>()

/** What two requests have in common if the second repeats the first. A file is not kept, so each upload is another. */
async function contentOf(request: Request): Promise<string> {
  const type = request.headers.get('Content-Type') ?? 'application/json'
  const isJson = type.startsWith('application/json')
  return `${request.url}\n${isJson ? await request.clone().text() : randomId()}`
}

/**
 * Gives each POST an Idempotency-Key. One that is sent again because its response was lost carries the key of the
 * first, so what that one has done is not done twice (contract, "Videos").
 */
export const idempotencyKeys: Middleware = {
  async onRequest({ request }) {
    if (request.method !== 'POST') return
    const content = await contentOf(request)
    const key = keys.get(content) ?? randomId()
    keys.set(content, key)
    request.headers.set('Idempotency-Key', key)
  },
  onResponse: ({ request, response }) => {
    // A refusal frees the key on the server, too, so that it may be used again.
    if (response.ok) forget(request)
  },
  onError({ request }) {
    if (request.signal.aborted) forget(request)
  },
}

function forget(request: Request): void {
  const completed = request.headers.get('Idempotency-Key')
  for (const [content, key] of keys) if (key === completed) keys.delete(content)
}
