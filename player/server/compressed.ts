import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { RequestHandler } from 'express'

/** High enough to come near the best, low enough for a process that starts (11 takes ten times as long). */
const BROTLI_QUALITY = 9
const GZIP_LEVEL = 9

/** Answers with a text that never changes, compressed once: by brotli where the browser knows it. */
export async function compressed(
  body: Uint8Array,
  headers: Record<string, string>,
): Promise<RequestHandler> {
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(body, {
      params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY },
    }),
    promisify(gzip)(body, { level: GZIP_LEVEL }),
  ])
  const bodies = { br, gzip: gz, identity: Buffer.from(body) }
  return (request, response) => {
    const chosen = (['br', 'gzip'] as const).find((name) => request.acceptsEncodings(name))
    response.set({ ...headers, Vary: 'Accept-Encoding' })
    if (chosen) response.set('Content-Encoding', chosen)
    response.send(chosen ? bodies[chosen] : bodies.identity)
  }
}
