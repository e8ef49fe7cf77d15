import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** The size of a content and its SHA-256 in hex. */
export interface Digest {
  bytes: number
  sha256: string
}

/** Returns a stream that passes its bytes on and, at its end, their digest. */
export function digesting(): { stream: Transform; digest: () => Digest } {
  const hash = createHash('sha256')
  let bytes = 0
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      bytes += chunk.length
      done(null, chunk)
    },
  })
  let digest: Digest | undefined
  return { stream, digest: () => (digest ??= { bytes, sha256: hash.digest('hex') }) }
}

/** Reads a whole file. Throws as Node does if it cannot be read. */
export async function digestFile(path: string): Promise<Digest> {
  const hash = createHash('sha256')
  let bytes = 0
  await pipeline(createReadStream(path, { highWaterMark: 1 << 18 }), async (chunks) => {
    for await (const chunk of chunks as AsyncIterable<Buffer>) {
      hash.update(chunk)
      bytes += chunk.length
    }
  })
  return { bytes, sha256: hash.digest('hex') }
}
