import { createHash } from 'node:crypto'
import { createWriteStream, readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { reportBytes, SetupError } from './report.mjs'

/** Returns the SHA-256 of a file in hex. */
export function sha256OfFile(path) {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}

/**
 * Downloads `url` to `path` and checks its SHA-256. `answerMs` limits the wait for the response
 * headers, `totalMs` the whole transfer. Throws a SetupError if the download or the check fails.
 */
export async function download(url, path, { sha256, answerMs = 10_000, totalMs = 300_000 }) {
  const abort = new AbortController()
  const answerTimer = setTimeout(() => abort.abort(), answerMs)
  const totalTimer = setTimeout(() => abort.abort(), totalMs)
  try {
    const response = await fetch(url, { signal: abort.signal })
    clearTimeout(answerTimer)
    if (!response.ok || !response.body) throw new SetupError(`${url} answered ${response.status}`)
    await pipeline(
      Readable.fromWeb(response.body),
      countBytes(Number(response.headers.get('content-length'))),
      createWriteStream(path),
    )
  } catch (error) {
    if (error instanceof SetupError) throw error
    throw new SetupError(`${url} could not be downloaded: ${error.cause?.message ?? error.message}`)
  } finally {
    clearTimeout(answerTimer)
    clearTimeout(totalTimer)
  }
  const found = sha256OfFile(path)
  if (found !== sha256) throw new SetupError(`${url} has the SHA-256 ${found}, expected ${sha256}`)
}

function countBytes(total) {
  return async function* (chunks) {
    let done = 0
    for await (const chunk of chunks) {
      done += chunk.length
      reportBytes(done, total)
      yield chunk
    }
  }
}
