import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { RequestHandler } from 'express'

export const SCRIPT_TYPE = 'text/javascript; charset=utf-8'
export const STYLE_TYPE = 'text/css; charset=utf-8'

/** For an address that contains the hash of its content. */
export const IMMUTABLE = { 'Cache-Control': 'public, max-age=31536000, immutable' }

/** Compresses almost as well as 11, which takes ten times as long and would delay the start. */
const BROTLI_QUALITY = 9
const GZIP_LEVEL = 9

/** A text in the encodings that browsers accept. */
export type EncodedText = Record<'br' | 'gzip' | 'identity', Uint8Array>

export async function compress(body: Uint8Array): Promise<EncodedText> {
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(body, {
      params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY },
    }),
    promisify(gzip)(body, { level: GZIP_LEVEL }),
  ])
  return { br, gzip: gz, identity: body }
}

/** Returns a handler for a static text, compressed once with brotli and gzip. */
export const compressed = async (
  body: Uint8Array,
  headers: Record<string, string>,
): Promise<RequestHandler> => sendEncoded(await compress(body), headers)

/** Returns a handler for a static text in the encoding that the request accepts. */
export function sendEncoded(text: EncodedText, headers: Record<string, string>): RequestHandler {
  return (request, response) => {
    const encoding = (['br', 'gzip'] as const).find((name) => request.acceptsEncodings(name))
    response.set({ ...headers, Vary: 'Accept-Encoding' })
    if (encoding) response.set('Content-Encoding', encoding)
    response.send(Buffer.from(text[encoding ?? 'identity']))
  }
}

/** Returns 16 hex characters that identify a content in an address, an ETag or a storage key. */
export const contentHash = (body: Uint8Array): string =>
  createHash('sha256').update(body).digest('hex').slice(0, 16)
