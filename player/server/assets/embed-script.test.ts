import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import express from 'express'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { embedScriptRouter, prepareEmbedScript } from './assets.ts'

let server: Server
let url: string

beforeAll(async () => {
  server = express()
    .set('etag', false)
    .use(embedScriptRouter(await prepareEmbedScript()))
    .listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/embed.js`
})

afterAll(() => new Promise((resolve) => server.close(resolve)))

/** Requests the script and returns the raw body. */
async function get(encoding: string, more: Record<string, string> = {}) {
  const headers = { 'accept-encoding': encoding, ...more }
  const response = await request(url, { headers })
  return { ...response, bytes: Buffer.from(await response.body.arrayBuffer()) }
}

describe('/embed.js', () => {
  it('can be loaded by any site, as script or as module, and cached for an hour', async () => {
    const { status, headers } = await fetch(url)
    expect(status).toBe(200)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=3600',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    })
  })

  it.each(['br', 'gzip', 'identity'])(
    'is not sent again if the browser has cached it (%s)',
    async (encoding) => {
      const { etag } = (await get(encoding)).headers
      const again = await get(encoding, { 'if-none-match': String(etag) })
      expect(again.statusCode).toBe(304)
      expect(again.headers.vary).toBe('Accept-Encoding')
      expect(again.bytes.length).toBe(0)
    },
  )

  it('is compressed to less than the two kilobytes that the documentation promises', async () => {
    const plain = await get('identity')
    const gzip = await get('gzip, deflate')
    const br = await get('gzip, deflate, br')
    for (const { headers } of [plain, gzip, br]) expect(headers.vary).toBe('Accept-Encoding')
    expect(gzip.headers['content-encoding']).toBe('gzip')
    expect(br.headers['content-encoding']).toBe('br')
    expect(gunzipSync(gzip.bytes).equals(plain.bytes)).toBe(true)
    expect(brotliDecompressSync(br.bytes).equals(plain.bytes)).toBe(true)
    expect(gzip.bytes.length).toBeLessThan(2000)
    expect(br.bytes.length).toBeLessThan(2000)
  })
})
