import { gzipSync } from 'node:zlib'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { CAPTION_BODY_MAX_BYTES, SMALL_BODY_MAX_BYTES } from '../../domain/limits.ts'
import { setUpApiFixture } from '../../test/fixtures/api.ts'
import { describeOddRequests } from '../../test/fixtures/odd-requests.ts'
import {
  sendHead,
  type RawRequest,
  type RawResponse,
} from '../../test/infrastructure/raw-request.ts'
import { until } from '../../test/infrastructure/wait-for.ts'

const t = setUpApiFixture({ graceMs: 2_000 })
const opened: RawRequest[] = []
let captions: string

beforeAll(async () => {
  captions = `/v1/videos/${String((await t.create()).json.id)}/captions`
})

afterEach(() => {
  for (const { socket } of opened.splice(0)) socket.destroy()
})

function post(path: string, headers: Record<string, string>, key = t.ours.key): RawRequest {
  const request = sendHead(t.base, {
    path,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
  })
  opened.push(request)
  return request
}

const CHUNKED = { 'Transfer-Encoding': 'chunked' }
const EXPECT = { Expect: '100-continue' }
const lengthOf = (bytes: number) => ({ 'Content-Length': String(bytes) })
const toChunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
const outcomeOf = ({ status, json }: RawResponse) => [status, json.error?.code]

describeOddRequests(async () => ({
  base: t.base,
  path: '/v1/folders',
  headers: { Authorization: `Bearer ${t.ours.key}`, 'Content-Type': 'application/json' },
  maxBytes: SMALL_BODY_MAX_BYTES,
}))

describe('a body above the limit of its operation', () => {
  it.each([
    ['64 KiB, of a video', () => '/v1/videos', SMALL_BODY_MAX_BYTES, '64 KiB'],
    ['64 KiB, of a folder', () => '/v1/folders', SMALL_BODY_MAX_BYTES, '64 KiB'],
    ['8 MiB, of a caption', () => captions, CAPTION_BODY_MAX_BYTES, '8 MiB'],
  ])('of %s is refused by its head, with and without Expect', async (_what, path, limit, words) => {
    for (const more of [{}, EXPECT]) {
      const request = post(path(), { ...lengthOf(limit + 1), ...more })
      const response = await request.response()
      expect(outcomeOf(response)).toEqual([413, 'payload_too_large'])
      expect(response.json.error?.message).toContain(words)
      expect(request.received()).not.toContain('100 Continue')
    }
  })

  it('in chunks is refused as soon as it passes the limit, and the rest is read before the connection closes', async () => {
    const request = post('/v1/videos', CHUNKED)
    request.socket.write(toChunk('x'.repeat(SMALL_BODY_MAX_BYTES)))
    request.socket.write(toChunk('x'))
    expect(outcomeOf(await request.response())).toEqual([413, 'payload_too_large'])
    request.socket.write(toChunk('x'.repeat(1_000_000)))
    request.socket.write('0\r\n\r\n')
    await until(() => request.socket.closed, 20_000)
    expect(request.socket.errored).toBeNull()
  })

  it('is one with millions of values too, whatever its bytes', async () => {
    const raw = `[${'{},'.repeat(2_000_000)}{}]`
    const { status, code } = await t.call('POST', captions, { raw })
    expect([status, code]).toEqual([413, 'payload_too_large'])
  })

  it('is refused after decompression', async () => {
    const raw = gzipSync(JSON.stringify({ name: 'x'.repeat(1_000_000) }))
    expect(raw.length).toBeLessThan(SMALL_BODY_MAX_BYTES)
    const headers = { 'Content-Encoding': 'gzip' }
    const reply = await t.call('POST', '/v1/folders', { raw, headers })
    expect(reply).toMatchObject({ status: 413, code: 'payload_too_large' })
  })
})

describe('a body that a client offers with Expect', () => {
  it('is asked for, and then read', async () => {
    const body = JSON.stringify({ name: 'Expected' })
    const request = post('/v1/folders', { ...lengthOf(body.length), ...EXPECT })
    await until(() => request.received().includes('100 Continue'))
    request.socket.write(body)
    expect((await request.response()).status).toBe(201)
  })

  it('is not asked for without a valid key', async () => {
    const request = post('/v1/folders', { ...lengthOf(10), ...EXPECT }, 'rg_live_unknown')
    expect(outcomeOf(await request.response())).toEqual([401, 'invalid_api_key'])
    expect(request.received()).not.toContain('100 Continue')
  })
})

describe('a body that does not arrive in time', () => {
  it('gets 408, and its connection is closed', async () => {
    const request = post('/v1/folders', lengthOf(1_000))
    request.socket.write('{')
    expect(outcomeOf(await request.response())).toEqual([408, 'invalid_request'])
    await until(() => request.socket.closed)
  })
})

/** Opens 120 requests whose bodies never end; resolves to the responses that have come once no more are expected. */
async function flood(path: string, headers: Record<string, string>, heldCount: number) {
  const requests = Array.from({ length: 120 }, () => post(path, headers))
  const responses: RawResponse[] = []
  for (const request of requests)
    request.response().then(
      (response) => responses.push(response),
      () => {},
    )
  await until(() => responses.length >= 120 - heldCount)
  return responses
}

describe('120 bodies of one key that never end', () => {
  it.each([
    ['of 8 MB', () => captions, lengthOf(8_388_000), 3],
    ['of 8 MB in chunks', () => captions, CHUNKED, 3],
    ['of 64 KB', () => '/v1/folders', lengthOf(65_000), 96],
    ['of 64 KB in chunks', () => '/v1/folders', CHUNKED, 96],
  ])(
    '%s are refused with 429 above the share of the key, and others continue',
    async (_what, path, headers, heldCount) => {
      const refused = await flood(path(), headers, heldCount)
      expect(refused).toHaveLength(120 - heldCount)
      for (const response of refused) {
        expect(outcomeOf(response)).toEqual([429, 'rate_limited'])
        expect(response.head).toMatch(/^retry-after: 5$/im)
      }
      const name = `Beside ${heldCount} ${Object.keys(headers)[0]}`
      expect((await t.call('GET', '/v1/account')).status).toBe(200)
      const key = await t.keyFor(t.ours.id, ['videos:write', 'folders:write'])
      for (const other of [key, t.theirs.key])
        expect((await t.call('POST', '/v1/folders', { key: other, body: { name } })).status).toBe(
          201,
        )
      for (const { socket } of opened.splice(0)) socket.destroy()
      await until(async () => {
        const { status } = await t.call('POST', '/v1/folders', { body: { name } })
        return status === 409
      })
    },
  )
})
