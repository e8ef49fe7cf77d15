import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import express from 'express'
import { embedScriptRouter } from './embed-script.ts'

let server: Server
let url: string

beforeAll(async () => {
  server = express()
    .set('etag', false)
    .use(await embedScriptRouter())
    .listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/embed.js`
})

afterAll(() => new Promise((resolve) => server.close(resolve)))

describe('/embed.js', () => {
  it('is a script that any site may load, as script or as module, and keep for an hour', async () => {
    const { status, headers } = await fetch(url)
    expect(status).toBe(200)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=3600',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    })
  })

  it('is not sent again where the browser has it', async () => {
    const etag = (await fetch(url)).headers.get('ETag') ?? ''
    const again = await fetch(url, {
      headers: { 'If-None-Match': etag, 'Cache-Control': 'max-age=0' },
    })
    expect(again.status).toBe(304)
  })

  it('costs a site two kilobytes at most', async () => {
    const script = Buffer.from(await (await fetch(url)).arrayBuffer())
    expect(gzipSync(script, { level: 9 }).length).toBeLessThanOrEqual(2000)
  })
})
