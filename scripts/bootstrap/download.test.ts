import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { download } from './download.mjs'

const body = Buffer.alloc(1_000_000, 'x')
const sha256 = createHash('sha256').update(body).digest('hex')
const folder = mkdtempSync(join(tmpdir(), 'download-test-'))
const file = join(folder, 'file')
const server = createServer((request, response) => {
  if (request.url === '/missing') response.writeHead(404).end()
  if (request.url === '/file') response.end(body)
  if (request.url === '/stalls') response.write(body.subarray(0, 10))
})
let base: string

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true })
})

describe('a download', () => {
  it('stores a file with the expected SHA-256', async () => {
    await download(`${base}/file`, file, { sha256 })
    expect(readFileSync(file).equals(body)).toBe(true)
  })

  it('refuses any other content', async () => {
    const attempt = download(`${base}/file`, file, { sha256: '0'.repeat(64) })
    await expect(attempt).rejects.toThrow(`has the SHA-256 ${sha256}`)
  })

  it.each([
    ['/missing', {}, 'responded with 404'],
    ['/never', { responseMs: 200 }, 'could not be downloaded'],
    ['/stalls', { totalMs: 400 }, 'could not be downloaded'],
  ])('fails on %s within its time limits', async (path, limits, words) => {
    const attempt = download(base + path, file, { sha256, ...limits })
    await expect(attempt).rejects.toThrow(words)
  })
})
