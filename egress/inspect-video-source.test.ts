import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SOURCE_MAX_BYTES } from '../domain/limits.ts'
import { startSourceNetwork, type SourceNetwork } from '../test/fixtures/egress.ts'
import { captureError } from '../test/infrastructure/test-network.ts'
import { until } from '../test/infrastructure/wait-for.ts'

let network: SourceNetwork['network']
let serve: SourceNetwork['serve']
let inspect: SourceNetwork['inspect']

beforeAll(async () => {
  ;({ network, serve, inspect } = await startSourceNetwork())
})

afterAll(() => network.close())

/** Inspects a link whose server responds to HEAD with these headers. */
const inspectHeaders = async (headers: Record<string, string>, availableBytes?: number) => {
  const { url } = await serve((_request, response) => response.writeHead(200, headers).end())
  return await inspect(url, availableBytes)
}

describe('inspectVideoSource', () => {
  it('sends HEAD and returns size, type, ETag and ranges', async () => {
    const methods: unknown[] = []
    const { url, open } = await serve((request, response) => {
      methods.push(request.method, request.headers['user-agent'])
      const headers = { 'content-length': '1234', 'content-type': 'video/mp4', etag: '"e1"' }
      response.writeHead(200, { ...headers, 'accept-ranges': 'bytes' }).end()
    })
    expect(await inspect(url)).toEqual({
      finalUrl: url,
      sizeBytes: 1234,
      contentType: 'video/mp4',
      etag: '"e1"',
      validator: '"e1"',
      acceptsRanges: true,
    })
    expect(methods).toEqual(['HEAD', 'Reelgate/1.0'])
    await until(() => open() === 0)
  })

  it.each([
    ['206 with the size of the file', 206, { 'content-range': 'bytes 0-0/1234' }, 1234],
    ['206 without it', 206, { 'content-range': 'bytes 0-0/*' }, null],
    ['206 without Content-Range', 206, { 'content-length': '1' }, null],
    ['200 with the whole file', 200, { 'content-length': '1234' }, 1234],
  ])(
    'asks a link that may refuse HEAD for its first byte, and reads %s',
    async (_what, status, headers, sizeBytes) => {
      const asked: unknown[] = []
      const { url, open } = await serve(({ method, headers: { range } }, response) => {
        asked.push([method, range])
        if (method === 'HEAD') response.writeHead(403).end()
        else response.writeHead(status, { ...headers, 'content-type': 'video/mp4' }).write('x')
      })
      expect(await inspect(url, 1e9, true)).toMatchObject({ sizeBytes, contentType: 'video/mp4' })
      expect(asked).toEqual([
        ['HEAD', undefined],
        ['GET', 'bytes=0-0'],
      ])
      await until(() => open() === 0)
      if (sizeBytes !== null)
        expect(await captureError(inspect(url, 1000, true))).toMatchObject({
          code: 'insufficient_storage',
        })
    },
  )

  it('sends no second request to a link that may not refuse HEAD, nor reads a GET that is refused too', async () => {
    const methods: unknown[] = []
    const { url } = await serve(({ method }, response) => {
      methods.push(method)
      response.writeHead(403).end()
    })
    expect(await captureError(inspect(url))).toMatchObject({ code: 'source_unreachable' })
    expect(methods).toEqual(['HEAD'])
    expect(await captureError(inspect(url, 1e9, true))).toMatchObject({
      code: 'source_unreachable',
      message: 'The link responded with status 403; it must be 2xx.',
    })
  })

  it('checks only headers that were sent', async () => {
    const facts = await inspectHeaders({})
    expect(facts).toMatchObject({ sizeBytes: null, contentType: null, etag: null })
    expect(facts).toMatchObject({ validator: null, acceptsRanges: false })
  })

  it.each([
    ['a strong ETag', { etag: '"a"', 'last-modified': 'yesterday' }, '"a"'],
    ['Last-Modified beside a weak ETag', { etag: 'W/"a"', 'last-modified': 'then' }, 'then'],
    ['nothing but a weak ETag', { etag: 'W/"a"' }, null],
  ])('resumes by %s', async (_what, headers, validator) => {
    expect(await inspectHeaders(headers)).toMatchObject({ validator })
  })

  it.each([
    'video/mp4',
    'VIDEO/MP4',
    'video/x-matroska; codecs="avc1"',
    'video/vnd.dlna.mpeg-tts',
    'application/octet-stream',
    'Application/Octet-Stream ; charset=binary',
    'application/mp4',
    'binary/octet-stream',
  ])('accepts the Content-Type %s', async (type) => {
    expect(await inspectHeaders({ 'content-type': type })).toMatchObject({ contentType: type })
  })

  it.each([
    'text/html',
    'text/html; charset=utf-8',
    'audio/mpeg',
    'image/jpeg',
    'application/json',
    'application/x-mpegurl',
    'application/octet-stream-not',
    'video',
    'video/',
    'xvideo/mp4',
    'text/plain; video/mp4',
    'multipart/byteranges; boundary=x',
  ])('refuses the Content-Type %s as unsupported_source_type', async (type) => {
    expect(await captureError(inspectHeaders({ 'content-type': type }))).toMatchObject({
      name: 'SourceError',
      code: 'unsupported_source_type',
    })
  })

  it('accepts 20 GiB and not a byte more', async () => {
    const exact = { 'content-length': String(SOURCE_MAX_BYTES) }
    const more = { 'content-length': String(SOURCE_MAX_BYTES + 1) }
    expect(await inspectHeaders(exact, Infinity)).toMatchObject({ sizeBytes: SOURCE_MAX_BYTES })
    expect(await captureError(inspectHeaders(more, 5))).toMatchObject({ code: 'source_too_large' })
  })

  it('accepts the size of the available storage and not a byte more', async () => {
    const headers = { 'content-length': '1000' }
    expect(await inspectHeaders(headers, 1000)).toMatchObject({ sizeBytes: 1000 })
    const failure = await captureError(inspectHeaders(headers, 999))
    expect(failure).toMatchObject({ code: 'insufficient_storage' })
  })

  it.each([206, 204])('accepts the status %i, which is 2xx', async (status) => {
    const { url } = await serve((_request, response) => response.writeHead(status).end())
    expect(await inspect(url)).toMatchObject({ finalUrl: url })
  })

  it.each([300, 304, 400, 401, 403, 404, 405, 500, 503])(
    'returns source_unreachable for the status %i, and names it',
    async (status) => {
      const { url } = await serve((_request, response) => response.writeHead(status).end())
      expect(await captureError(inspect(url))).toMatchObject({
        code: 'source_unreachable',
        message: expect.stringContaining(String(status)),
      })
    },
  )

  it('explains that a link signed only for GET fails, without quoting the link', async () => {
    const { url } = await serve((request, response) =>
      response.writeHead(request.method === 'HEAD' ? 403 : 200).end(),
    )
    const failure = await captureError(inspect(url))
    expect(failure).toMatchObject({ message: expect.stringContaining('signed only for GET') })
    expect(JSON.stringify(failure) + String(failure)).not.toMatch(/secret|lesson/)
  })

  it.each([
    ['source_unreachable', 'https://no-such-name.test/a.mp4'],
    ['source_unreachable', 'https://source.test:8443/a.mp4'],
    ['source_not_allowed', 'https://private.test/a.mp4'],
    ['source_not_allowed', 'https://[::ffff:a9fe:a9fe]/a.mp4'],
    ['invalid_source_url', 'http://source.test/a.mp4'],
    ['invalid_source_url', 'https://source.test:80/a.mp4'],
  ])('returns %s for %s', async (code, url) => {
    expect(await captureError(inspect(url))).toMatchObject({ name: 'SourceError', code })
  })

  it('returns source_unreachable for the certificate of another host', async () => {
    const other = await network.serveHttps(['other.test'], (_request, response) => response.end())
    const failure = await captureError(inspect(`https://source.test:${other.port}/`))
    expect(failure).toMatchObject({ code: 'source_unreachable' })
  })

  // Runs beside the other tests, because it waits.
  it.concurrent(
    'returns source_unreachable after ten seconds without a response, not counting the delay of this process',
    async () => {
      const { url } = await serve(() => {})
      const startedMs = performance.now()
      expect(await captureError(inspect(url))).toMatchObject({ code: 'source_unreachable' })
      expect(performance.now() - startedMs).toBeLessThan(20_500)
    },
  )
})
