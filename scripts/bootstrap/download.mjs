import { createHash } from 'node:crypto'
import { createWriteStream, readFileSync } from 'node:fs'
import http from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { findProgram, runCommand } from './commands.mjs'
import { hasProxy, isProxyInForce } from './environment.mjs'
import { reportBytes, SetupError } from './report.mjs'

/** Returns the SHA-256 of a file in hex. */
export function sha256OfFile(path) {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}

/**
 * Downloads `url` to `path` and checks its SHA-256, if one is given. `responseMs` limits the wait for the response
 * headers, `totalMs` the whole transfer. It uses the proxy of the environment, with curl if this
 * Node cannot. Throws a SetupError if the download or the check fails.
 */
export async function download(url, path, { sha256, responseMs = 10_000, totalMs = 300_000 }) {
  const transfer = canFetch() ? downloadWithFetch : downloadWithCurl
  await transfer(url, path, { responseMs, totalMs })
  if (!sha256) return
  const found = sha256OfFile(path)
  if (found !== sha256) throw new SetupError(`${url} has the SHA-256 ${found}, expected ${sha256}`)
}

function canFetch() {
  if (!hasProxy() || isProxyInForce()) return true
  if (!http.setGlobalProxyFromEnv) return false
  http.setGlobalProxyFromEnv()
  return true
}

async function downloadWithFetch(url, path, { responseMs, totalMs }) {
  const abort = new AbortController()
  const responseTimer = setTimeout(() => abort.abort(), responseMs)
  const totalTimer = setTimeout(() => abort.abort(), totalMs)
  try {
    const response = await fetch(url, { signal: abort.signal })
    clearTimeout(responseTimer)
    if (!response.ok || !response.body)
      throw new SetupError(`${url} responded with ${response.status}`)
    await pipeline(
      Readable.fromWeb(response.body),
      countBytes(Number(response.headers.get('content-length'))),
      createWriteStream(path),
    )
  } catch (error) {
    if (error instanceof SetupError) throw error
    throw new SetupError(`${url} could not be downloaded: ${error.cause?.message ?? error.message}`)
  } finally {
    clearTimeout(responseTimer)
    clearTimeout(totalTimer)
  }
}

async function downloadWithCurl(url, path, { responseMs, totalMs }) {
  const curl = findProgram('curl')
  if (!curl)
    throw new SetupError(
      `${url} could not be downloaded: Node ${process.versions.node} does not use the proxy of the ` +
        'environment. Install curl or Node 24, then run this again.',
    )
  // The wait for the headers has no limit in curl: a proxy that does not respond fails as too slow.
  const limits = [
    ['--connect-timeout', responseMs / 1000],
    ['--speed-time', Math.ceil(responseMs / 1000)],
    ['--max-time', totalMs / 1000],
  ]
  const args = ['--fail', '--silent', '--show-error', '--location', ...limits.flat().map(String)]
  await runCommand(curl, [...args, '--output', path, url])
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
