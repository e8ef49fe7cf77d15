import type { Readable } from 'node:stream'
import { EgressError } from '../egress/egress-error.ts'

/**
 * Reads at most `maxBytes` of an answer and leaves the rest unread, so that an endless body costs
 * neither memory nor time. `failure` tells why it ended early, where it did not end by itself.
 */
export async function readStart(
  body: Readable,
  maxBytes: number,
): Promise<{ text: string; failure: EgressError | null }> {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  let failure: EgressError | null = null
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      sizeBytes += chunk.length
      if (sizeBytes >= maxBytes) break
    }
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    failure = error
  } finally {
    body.destroy()
  }
  return { text: storableText(Buffer.concat(chunks), maxBytes), failure }
}

/** Text that PostgreSQL stores (it refuses U+0000), in at most `maxBytes` of UTF-8, cut between characters. */
function storableText(bytes: Buffer, maxBytes: number): string {
  const text = startOf(bytes, maxBytes).replaceAll('\0', '\uFFFD')
  // What is not UTF-8 becomes U+FFFD, which takes three bytes.
  return startOf(Buffer.from(text), maxBytes)
}

// `stream` keeps back a character that the cut took apart.
const startOf = (bytes: Buffer, maxBytes: number): string =>
  new TextDecoder().decode(bytes.subarray(0, maxBytes), { stream: bytes.length > maxBytes })
