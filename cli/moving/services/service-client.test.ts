import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { testClient } from '../../../test/fixtures/services/manifest-folder.ts'
import {
  startServiceDouble,
  type DoubleResponse,
  type ServiceDouble,
} from '../../../test/fixtures/services/service-double.ts'
import { captureError } from '../../../test/infrastructure/test-network.ts'
import { retryAfterMs, windowWaitMs } from './rate-limits.ts'
import { addressOf } from './service-client.ts'

const SECRET = 'Bearer very-secret'
const anything = z.object({ ok: z.literal(true) })
const doubles: ServiceDouble[] = []

afterEach(async () => {
  await Promise.all(doubles.splice(0).map((double) => double.close()))
})

async function open(response: DoubleResponse = { body: { ok: true } }, gapMs = 0) {
  const double = await startServiceDouble(() => response)
  doubles.push(double)
  return { double, ...testClient(double.api, { authorization: SECRET }, { gapMs }) }
}

describe('a call of the API of a service', () => {
  it('waits as long as Retry-After says, and is repeated', async () => {
    const { double, client, waits, reasons } = await open()
    double.interrupt({ status: 429, headers: { 'retry-after': '7' } })
    expect(await client.get('/a', anything)).toEqual({ ok: true })
    expect(waits).toEqual([7_000])
    expect(reasons).toEqual(['The double responds with status 429.'])
    expect(double.requests).toHaveLength(2)
  })

  it('is repeated after a status of 5xx and a broken connection, ever more slowly, and not for ever', async () => {
    const { double, client, waits } = await open()
    double.interrupt({ status: 503 }, { status: 500 }, 'broken')
    expect(await client.get('/a', anything)).toEqual({ ok: true })
    expect(waits).toEqual([1_000, 2_000, 4_000])
    double.interrupt(...Array.from({ length: 20 }, () => ({ status: 502 })))
    expect(await captureError(client.get('/a', anything))).toMatchObject({
      code: 'service_unavailable',
      message: 'The double responds with status 502. Run the same command later.',
    })
    expect(double.requests).toHaveLength(4 + 9)
  })

  it('does not wait for longer than a quarter of an hour', async () => {
    const { double, client, waits } = await open()
    double.interrupt({ status: 429, headers: { 'retry-after': '3600' } })
    expect(await captureError(client.get('/a', anything))).toMatchObject({
      code: 'service_unavailable',
    })
    expect(waits).toEqual([])
  })

  it('waits before the next one when a window is used up', async () => {
    const { double, client, waits, reasons } = await open()
    double.interrupt({ body: { ok: true }, headers: { ratelimit: '"default";r=0;t=30' } })
    await client.get('/a', anything)
    await client.get('/a', anything)
    expect(waits).toHaveLength(1)
    expect(waits[0]).toBeGreaterThan(29_000)
    expect(reasons).toEqual(['The requests that The double allows are used up.'])
  })

  it('keeps the gap between the starts of two', async () => {
    const { client, waits } = await open({ body: { ok: true } }, 60_000)
    await Promise.all([client.get('/a', anything), client.get('/a', anything)])
    expect(waits).toHaveLength(1)
    expect(waits[0]).toBeGreaterThan(59_000)
  })

  it('fails at once, and without the address, if there is no service', async () => {
    const { double, client, waits } = await open()
    await doubles.pop()?.close()
    const error = await captureError(client.get(`/a?secret=${SECRET}`, anything))
    expect(error).toMatchObject({ code: 'service_unavailable' })
    expect(String(error)).not.toContain(double.api.host)
    expect(String(error)).not.toContain('secret')
    expect(waits).toEqual([])
  })

  it('does not wait for ever for a response', async () => {
    const silent = await startServiceDouble(() => new Promise<DoubleResponse>(() => {}))
    doubles.push(silent)
    const { client } = testClient(silent.api, {}, { timeoutMs: 100 })
    expect(await captureError(client.get('/a', anything))).toMatchObject({
      code: 'service_unavailable',
      message: 'The double cannot be reached (it does not respond in time).',
    })
  })

  it.each([401, 403])('says what to do if the credentials are refused with %i', async (status) => {
    const { client } = await open({ status, body: { error: SECRET } })
    const error = await captureError(client.get('/a', anything))
    expect(error).toMatchObject({
      code: 'credentials_refused',
      message: `The double refuses the credentials (status ${status}). Look at them.`,
    })
  })

  it('follows no redirect, which would get the credentials', async () => {
    const other = await open()
    const { client } = await open({ status: 302, headers: { location: other.double.api.href } })
    expect(await captureError(client.get('/a', anything))).toMatchObject({
      code: 'unexpected_response',
      message: 'The double responds to /a with status 302.',
    })
    expect(other.double.requests).toEqual([])
  })

  it.each([
    ['a text', 'no JSON', 'The response of The double to /a is not as documented.'],
    [
      'a missing field',
      { no: 1 },
      'The response of The double to /a is not as documented: ok is missing or wrong.',
    ],
  ])('refuses %s', async (_what, body, message) => {
    const { client } = await open({ body })
    expect(await captureError(client.get('/a?long', anything))).toMatchObject({ message })
  })

  it('reads no more bytes than are allowed', async () => {
    const { client } = await open({ body: 'x'.repeat(2_000) })
    expect((await client.file('/a', 2_000)).byteLength).toBe(2_000)
    expect(await captureError(client.file('/a', 1_999))).toMatchObject({
      code: 'unexpected_response',
    })
  })

  it('finds nothing where the status is 404', async () => {
    const { client } = await open({ status: 404 })
    expect(await client.find('/a', anything)).toBeNull()
    expect(await captureError(client.get('/a', anything))).toMatchObject({
      code: 'unexpected_response',
    })
  })
})

describe('a link to a next page', () => {
  const api = new URL('https://api.example/v1')

  it('is a path, or an address on the host of the API', () => {
    expect(addressOf(api, '/videos?page=2').href).toBe('https://api.example/v1/videos?page=2')
    expect(addressOf(api, '?page=2').href).toBe('https://api.example/v1?page=2')
    expect(addressOf(api, 'https://api.example/v1/videos?page=2').host).toBe('api.example')
  })

  it.each([
    'https://evil.example/videos',
    'http://api.example/videos',
    'https://api.example:444/videos',
    'https://user:word@api.example/videos',
    'https://api.example.evil.example/',
    'file:///etc/passwd',
    '@evil.example/videos',
    '.evil.example/videos',
  ])('is refused if it leads elsewhere: %s', (link) => {
    expect(() => addressOf(api, link)).toThrow('It was not followed.')
  })
})

describe('the headers of a rate limit', () => {
  const nowMs = Date.parse('2026-11-30T12:00:00Z')
  const of = (values: Record<string, string>) => new Headers(values)

  it.each([
    [{ 'retry-after': '12' }, 12_000],
    [{ 'retry-after': 'Mon, 30 Nov 2026 12:00:09 GMT' }, 9_000],
    [{ 'retry-after': 'Mon, 30 Nov 2026 11:00:00 GMT' }, 0],
    [{ 'retry-after': 'soon' }, null],
    [{}, null],
  ])('say when a request may be repeated: %j', (values, waitMs) => {
    expect(retryAfterMs(of(values), nowMs)).toBe(waitMs)
  })

  it.each([
    [{ ratelimit: '"default";r=50;t=30' }, 0],
    [{ ratelimit: '"default";r=0;t=30, "burst";r=3;t=90' }, 30_000],
    [{ ratelimit: '"burst";r=0;t=5, "default";r=0;t=30' }, 30_000],
    [{ 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': '2026-11-30T13:00:00Z' }, 0],
    [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '2026-11-30T12:00:40+00:00' }, 40_000],
    [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(nowMs / 1_000 + 20) }, 20_000],
    [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': 'later' }, 60_000],
    [{}, 0],
  ])('say when a window begins: %j', (values, waitMs) => {
    expect(windowWaitMs(of(values), nowMs)).toBe(waitMs)
  })
})
