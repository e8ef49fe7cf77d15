import { Readable, type Transform } from 'node:stream'
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib'
import type { EgressResponse } from '../egress.ts'

/** For bodies that are cut: what has arrived of them is expanded. */
const CUT = { finishFlush: constants.Z_SYNC_FLUSH }

/** The content encodings that can be removed (RFC 9110, section 8.4.1). */
const DECODERS: Record<string, () => Transform> = {
  gzip: () => createGunzip(CUT),
  'x-gzip': () => createGunzip(CUT),
  deflate: () => createInflate(CUT),
  br: () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH }),
  zstd: () =>
    createZstdDecompress({
      finishFlush: constants.ZSTD_e_flush,
      // 8 MiB, the most that RFC 9659 permits in HTTP; the default is 128 MiB.
      params: { [constants.ZSTD_d_windowLogMax]: 23 },
    }),
}

/** Control characters that are no white space; a body with them is not text. */
// eslint-disable-next-line no-control-regex -- They are what it looks for.
const BINARY = /[\0-\x08\x0e-\x1f]/

/**
 * Returns the beginning of a response body as text in at most `maxBytes` of UTF-8, and how it was decoded:
 * `utf-8`, `gzip, windows-1252`. An unknown content encoding, or one that the bytes contradict, is not removed. The
 * text can be stored by PostgreSQL, which refuses U+0000.
 */
export async function decodeBody(
  bytes: Buffer,
  headers: EgressResponse['headers'],
  maxBytes: number,
): Promise<{ text: string; encoding: string }> {
  const contentEncoding = headerText(headers['content-encoding']).trim().toLowerCase()
  const expanded = await expand(bytes, contentEncoding, maxBytes)
  const body = expanded ?? bytes
  const label = charsetOf(headerText(headers['content-type'])) ?? guessCharset(body)
  const text = decode(body, label, maxBytes).replaceAll('\0', '\uFFFD')
  return {
    // A character of one byte can take three in UTF-8.
    text: decode(Buffer.from(text), 'utf-8', maxBytes),
    encoding: expanded === null ? label : `${contentEncoding}, ${label}`,
  }
}

const headerText = (value: string | string[] | undefined): string => [value ?? ''].flat().join(', ')

/** Returns the beginning of the expanded bytes; null if they are not encoded so. */
async function expand(bytes: Buffer, encoding: string, maxBytes: number): Promise<Buffer | null> {
  const createDecoder = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding] : undefined
  if (!createDecoder) return null
  const decoder = Readable.from([bytes]).pipe(createDecoder())
  const stream: AsyncIterable<Buffer> = decoder
  const chunks: Buffer[] = []
  let sizeBytes = 0
  try {
    for await (const chunk of stream) {
      chunks.push(chunk)
      sizeBytes += chunk.length
      if (sizeBytes > maxBytes) break
    }
  } catch {
    if (sizeBytes === 0) return null
  } finally {
    decoder.destroy()
  }
  return Buffer.concat(chunks)
}

/** Returns the declared charset by its name in the standard of encodings (`latin1` is `windows-1252`); null if none is known. */
function charsetOf(contentType: string): string | null {
  const label = /;\s*charset\s*=\s*"?([^\s";]{1,40})/i.exec(contentType)?.[1]
  if (label === undefined) return null
  try {
    return new TextDecoder(label).encoding
  } catch {
    return null
  }
}

/** Returns UTF-8, except for text that is not: most of that is Latin 1. */
function guessCharset(bytes: Buffer): string {
  try {
    // With `stream`, the last character may be cut.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return 'utf-8'
  } catch {
    return BINARY.test(bytes.toString('latin1')) ? 'utf-8' : 'windows-1252'
  }
}

// With `stream`, the decoder drops a character that the cut divided.
const decode = (bytes: Buffer, label: string, maxBytes: number): string =>
  new TextDecoder(label).decode(bytes.subarray(0, maxBytes), { stream: bytes.length > maxBytes })
