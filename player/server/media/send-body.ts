import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'

/**
 * An answer that is broken off is counted to a quarter of a mebibyte. Smaller parts cost: of a segment
 * of 1 MB, a core sends a sixth less in parts of half the size.
 */
const PART_BYTES = 256 * 1024

/** Told of bytes that the operating system has taken over for the viewer. */
export type OnSent = (bytes: number) => void

/** Sends bytes and ends the answer; a part leaves when the one before it has. */
export function sendBuffer(response: ServerResponse, body: Buffer, onSent: OnSent): void {
  let at = 0
  const next = (): void => {
    const part = body.subarray(at, at + PART_BYTES)
    at += part.length
    const isLast = at >= body.length
    const done = (error?: Error | null): void => {
      if (error) return
      onSent(part.length)
      if (!isLast) next()
    }
    if (isLast) response.end(part, done)
    else response.write(part, done)
  }
  next()
}

/** Sends a stream and ends the answer; destroys the stream where the viewer leaves. */
export async function sendStream(
  response: ServerResponse,
  stream: Readable,
  onSent: OnSent,
): Promise<void> {
  response.once('close', () => stream.destroy())
  // Whoever left while the stream was opened is not told of by an event any more.
  if (response.destroyed) return void stream.destroy()
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      if (!(await write(response, chunk))) return
      onSent(chunk.length)
    }
  } catch (error) {
    if (response.destroyed) return
    throw error
  }
  response.end()
}

/** False where the viewer is gone, which is no error of ours. */
const write = (response: ServerResponse, chunk: Buffer): Promise<boolean> =>
  new Promise((resolve) => {
    response.write(chunk, (error) => resolve(!error))
  })
