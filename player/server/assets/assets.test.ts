import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import express from 'express'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assetRouter, prepareAssets, type Assets } from './assets.ts'

let assets: Assets
let server: Server
let base: string

beforeAll(async () => {
  const prepared = await prepareAssets()
  assets = prepared.urls
  server = createServer(express().use(assetRouter(prepared))).listen(0, '127.0.0.1')
  await once(server, 'listening')
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(() => new Promise((resolve) => server.close(resolve)))

async function get(path: string, encoding: string) {
  const { headers, body } = await request(base + path, { headers: { 'accept-encoding': encoding } })
  return { headers, bytes: Buffer.from(await body.arrayBuffer()) }
}

const scriptOf = async (url: string): Promise<string> =>
  (await get(url, 'identity')).bytes.toString('utf8')

describe('the scripts and styles', () => {
  it('are sent in the best encoding that the browser accepts, with equal content', async () => {
    const plain = await get(assets.shakaUrl, 'identity')
    const br = await get(assets.shakaUrl, 'gzip, deflate, br')
    const gzip = await get(assets.shakaUrl, 'gzip')
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect([br.headers['content-encoding'], gzip.headers['content-encoding']]).toEqual([
      'br',
      'gzip',
    ])
    expect(brotliDecompressSync(br.bytes).equals(plain.bytes)).toBe(true)
    expect(gunzipSync(gzip.bytes).equals(plain.bytes)).toBe(true)
    expect(br.bytes.length).toBeLessThan(gzip.bytes.length)
    for (const { headers } of [plain, br, gzip]) {
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
      expect(headers.vary).toBe('Accept-Encoding')
      expect(headers['content-type']).toBe('text/javascript; charset=utf-8')
    }
  })

  it('are one module for playback, one for the controls, one for Shaka Player and one for each language', async () => {
    const main = await scriptOf(assets.scriptUrl)
    const controls = await Promise.all(assets.controlsUrls.map(scriptOf))
    // Playback does not wait for the controls: they are not in its module.
    expect(main.includes('media-time-range')).toBe(false)
    expect(controls.join().includes('media-time-range')).toBe(true)
    for (const url of Object.values(assets.wordsUrls))
      expect((await scriptOf(url)).length).toBeGreaterThan(0)
  })

  it('are at most nine tenths of the full build of Shaka Player, compressed, until a viewer uses the page', async () => {
    const { scriptUrl, shakaUrl, controlsUrls, wordsUrls } = assets
    const urls = [scriptUrl, shakaUrl, ...controlsUrls, wordsUrls.en]
    const scripts = await Promise.all(urls.map(scriptOf))
    const imported = scripts.flatMap((script) =>
      [...script.matchAll(/\b(?:from|import)\s*"\.(\/[\w-]+\.js)"/g)].map(
        ([, path]) => `/assets${path}`,
      ),
    )
    expect(new Set(imported)).toEqual(new Set(controlsUrls.slice(1)))
    const full = await readFile(
      createRequire(import.meta.url).resolve('shaka-player/dist/shaka-player.compiled.js'),
    )
    const size = (script: string | Buffer): number => gzipSync(script, { level: 9 }).length
    const sum = scripts.reduce((total, script) => total + size(script), 0)
    expect(sum / size(full)).toBeLessThanOrEqual(0.9)
  })
})
