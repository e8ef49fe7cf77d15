import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SOURCE_MAX_BYTES } from '../domain/limits.ts'
import { startSourceNetwork, type SourceNetwork } from '../test/fixtures/egress.ts'
import { captureError } from '../test/infrastructure/test-network.ts'
import { until } from '../test/infrastructure/wait-for.ts'
import { openVideoSource } from './open-video-source.ts'
import { toSourceError } from './source-error.ts'

let network: SourceNetwork['network']
let egress: SourceNetwork['egress']
let serve: SourceNetwork['serve']

beforeAll(async () => {
  ;({ network, egress, serve } = await startSourceNetwork())
})

afterAll(() => network.close())

describe('openVideoSource', () => {
  const SOURCE = 'abcdefghij'
  const HEADERS = { 'content-type': 'video/mp4', etag: '"e1"', 'accept-ranges': 'bytes' }
  const read = (url: string, options: object = {}) =>
    openVideoSource(egress, url, { startByte: 0, ifRange: null, deadlineMs: 5000, ...options })

  /** Serves the source with correct Range and If-Range support, and `etag` as its ETag. */
  const serveSource = async (etag = '"e1"') => {
    const ranges: unknown[] = []
    const server = await serve((request, response) => {
      ranges.push(request.headers.range)
      const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
      const isPart = from > 0 && request.headers['if-range'] === etag
      const part = isPart ? SOURCE.slice(from) : SOURCE
      response.writeHead(isPart ? 206 : 200, {
        ...HEADERS,
        etag,
        'content-length': part.length,
        ...(isPart && { 'content-range': `bytes ${from}-9/10` }),
      })
      response.end(part)
    })
    return { ...server, ranges }
  }

  it('reads a file from its beginning', async () => {
    const { url, ranges, open } = await serveSource()
    const { body, ...facts } = await read(url)
    expect(await text(body)).toBe(SOURCE)
    expect(facts).toEqual({
      startByte: 0,
      totalBytes: 10,
      etag: '"e1"',
      validator: '"e1"',
      acceptsRanges: true,
    })
    expect(ranges).toEqual([undefined])
    await until(() => open() === 0)
  })

  it('resumes if the file has not changed', async () => {
    const { url, ranges } = await serveSource()
    const source = await read(url, { startByte: 4, ifRange: '"e1"' })
    expect(await text(source.body)).toBe('efghij')
    expect(source).toMatchObject({ startByte: 4, totalBytes: 10 })
    expect(ranges).toEqual(['bytes=4-'])
  })

  it('restarts if the file has changed', async () => {
    const { url } = await serveSource('"e2"')
    const source = await read(url, { startByte: 4, ifRange: '"e1"' })
    expect(await text(source.body)).toBe(SOURCE)
    expect(source).toMatchObject({ startByte: 0, totalBytes: 10, etag: '"e2"' })
  })

  it.each([
    ['no validator', undefined],
    ['a weak ETag', 'W/"e1"'],
  ])('restarts with %s, without requesting a part', async (_what, ifRange) => {
    const { url, ranges } = await serveSource()
    const source = await read(url, { startByte: 4, ...(ifRange && { ifRange }) })
    expect(await text(source.body)).toBe(SOURCE)
    expect(source.startByte).toBe(0)
    expect(ranges).toEqual([undefined])
  })

  it('restarts if the server ignores Range', async () => {
    const { url } = await serve((_request, response) => response.end(SOURCE))
    const source = await read(url, { startByte: 4, ifRange: '"e1"' })
    expect(await text(source.body)).toBe(SOURCE)
    expect(source).toMatchObject({ startByte: 0, acceptsRanges: false })
  })

  it.each([
    ['of another start', { 'content-range': 'bytes 3-9/10' }, 206],
    ['without Content-Range', {}, 206],
    ['with an invalid Content-Range', { 'content-range': 'bytes 4-9' }, 206],
    ['of another ETag', { 'content-range': 'bytes 4-9/10', etag: '"e2"' }, 206],
    ['that does not exist', { 'content-range': 'bytes */3' }, 416],
  ])('restarts if it gets a part %s', async (_what, headers, status) => {
    const { url, open } = await serve((request, response) => {
      if (request.headers.range === undefined) response.end(SOURCE)
      else response.writeHead(status, { ...HEADERS, ...headers }).end('efghij')
    })
    const source = await read(url, { startByte: 4, ifRange: '"e1"' })
    expect(await text(source.body)).toBe(SOURCE)
    expect(source.startByte).toBe(0)
    await until(() => open() === 0)
  })

  it('keeps its validator if the part comes without', async () => {
    const { 'content-type': type } = HEADERS
    const part = { 'content-type': type, 'content-range': 'bytes 4-9/10' }
    const { url } = await serve((_request, response) => response.writeHead(206, part).end('efghij'))
    const source = await read(url, { startByte: 4, ifRange: '"e1"' })
    expect(source).toMatchObject({ startByte: 4, validator: '"e1"' })
    source.body.destroy()
  })

  it('resumes by Last-Modified, and restarts if that has changed', async () => {
    const { url } = await serve((request, response) => {
      if (request.headers.range === undefined) response.end(SOURCE)
      else
        response
          .writeHead(206, { 'content-range': 'bytes 4-9/*', 'last-modified': 'then' })
          .end('efghij')
    })
    const same = await read(url, { startByte: 4, ifRange: 'then' })
    expect(await text(same.body)).toBe('efghij')
    expect(same).toMatchObject({ startByte: 4, totalBytes: null, validator: 'then' })
    const changed = await read(url, { startByte: 4, ifRange: 'before' })
    expect([await text(changed.body), changed.startByte]).toEqual([SOURCE, 0])
  })

  it('refuses a part that it did not request', async () => {
    const { url } = await serve((_request, response) =>
      response.writeHead(206, { 'content-range': 'bytes 4-9/10' }).end('efghij'),
    )
    expect(await captureError(read(url))).toMatchObject({ code: 'source_unreachable' })
  })

  it('checks address, redirects, status, type and size again', async () => {
    const responses: [number, Record<string, string>, string][] = [
      [302, { location: 'https://10.0.0.1/' }, 'source_not_allowed'],
      [302, { location: 'http://source.test/' }, 'invalid_source_url'],
      [302, { location: '?' }, 'too_many_redirects'],
      [404, {}, 'source_unreachable'],
      [200, { 'content-type': 'text/html' }, 'unsupported_source_type'],
      [200, { 'content-length': String(SOURCE_MAX_BYTES + 1) }, 'source_too_large'],
    ]
    for (const [status, headers, code] of responses) {
      const { url, open } = await serve((_request, response) => {
        response.writeHead(status, headers).flushHeaders()
        if (status !== 200) response.end()
      })
      const failure = await captureError(read(url))
      expect(failure).toMatchObject({ name: 'SourceError', code })
      await until(() => open() === 0)
    }
  })

  it('checks the size of the whole file when it resumes', async () => {
    const range = `bytes 4-9/${SOURCE_MAX_BYTES + 1}`
    const { url } = await serve((_request, response) =>
      response.writeHead(206, { 'content-range': range, etag: '"e1"' }).end('efghij'),
    )
    const failure = await captureError(read(url, { startByte: 4, ifRange: '"e1"' }))
    expect(failure).toMatchObject({ code: 'source_too_large' })
  })

  it('fails during the body if the server stops, with a code of the contract', async () => {
    const { url } = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('abc')
      setTimeout(() => response.destroy(), 20)
    })
    const failure = await captureError(read(url).then(({ body }) => text(body)))
    expect(failure).toMatchObject({ name: 'EgressError', code: 'connection_reset' })
    expect(toSourceError(failure)).toMatchObject({ code: 'source_unreachable' })
  })

  it('stops with `aborted` when its signal aborts', async () => {
    const { url, open } = await serve(() => {})
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 30)
    const failure = await captureError(read(url, { signal: controller.signal }))
    expect(failure).toMatchObject({ name: 'EgressError', code: 'aborted' })
    await until(() => open() === 0)
  })

  it('stops at its deadline', async () => {
    const { url } = await serve((_request, response) => void response.write('a'))
    const failure = await captureError(
      read(url, { deadlineMs: 100 }).then(({ body }) => text(body)),
    )
    expect(failure).toMatchObject({ code: 'timeout' })
  })
})
