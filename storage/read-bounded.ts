/** A body that is larger than was allowed. */
export class ResponseTooLargeError extends Error {
  override name = 'ResponseTooLargeError'
}

/** Reads a body of at most `maxBytes`. Throws a ResponseTooLargeError as soon as it has more. */
export async function readBounded(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  for await (const chunk of body) {
    sizeBytes += chunk.byteLength
    if (sizeBytes > maxBytes) throw new ResponseTooLargeError(`more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
