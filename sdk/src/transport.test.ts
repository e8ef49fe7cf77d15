import { readFile } from 'node:fs/promises'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { API_ERRORS } from '../../domain/error-codes.ts'
import { openFront, setUpSdkFixture, type Fault } from '../../test/fixtures/sdk.ts'
import type { ReelgateError } from './index.ts'

const t = setUpSdkFixture()
const GARBAGE = '<html>Bad gateway</html>'

const seenSince = (start: number) => t.front.seen.slice(start)

const keysOf = (requests: typeof t.front.seen): Set<unknown> =>
  new Set(requests.map(({ headers }) => headers['idempotency-key']))

const countVideos = async (): Promise<number> =>
  (await t.api.db.em.fork().execute('select 1 from video')).length

describe('a call that fails in transit', () => {
  it.each<Fault>(['lose-response', 'cut-response', 'refuse', { status: 503 }, { status: 408 }])(
    'creates one video after %j, with one Idempotency-Key',
    async (fault) => {
      const start = t.front.seen.length
      const before = await countVideos()
      t.front.failNext(fault)
      const video = await t.reelgate.videos.create({ source_url: t.api.sourceUrl(), title: 'Once' })
      expect(await countVideos()).toBe(before + 1)
      expect((await t.reelgate.videos.get(video.id)).title).toBe('Once')
      const posts = seenSince(start).filter(({ method }) => method === 'POST')
      expect(posts).toHaveLength(2)
      const [key, ...others] = keysOf(posts)
      expect(others).toEqual([])
      expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    },
  )

  it('creates one video after three lost responses, and a second call creates another', async () => {
    const before = await countVideos()
    t.front.failNext('lose-response', 'lose-response', 'lose-response')
    await t.reelgate.videos.create({ source_url: t.api.sourceUrl() })
    expect(await countVideos()).toBe(before + 1)
    await t.reelgate.videos.create({ source_url: t.api.sourceUrl() })
    expect(await countVideos()).toBe(before + 2)
  })

  it('deletes an object once, and succeeds although the response was lost', async () => {
    const folder = await t.reelgate.folders.create({ name: 'Short-lived' })
    t.front.failNext('lose-response', { status: 502, body: GARBAGE })
    const deleted = { id: folder.id, object: 'folder', deleted: true }
    expect(await t.reelgate.folders.delete(folder.id)).toEqual(deleted)
    const { id } = await t.reelgate.videos.create({ source_url: t.api.sourceUrl() })
    t.front.failNext('cut-response')
    expect(await t.reelgate.videos.delete(id)).toEqual({ id, object: 'video', deleted: true })
  })

  it('does not call an object deleted that it has never found', async () => {
    const missing = { status: 404, code: 'video_not_found' }
    await expect(t.reelgate.videos.delete('0'.repeat(20))).rejects.toMatchObject(missing)
    t.front.failNext({ status: 503, headers: { 'Retry-After': '0' } })
    await expect(t.reelgate.videos.delete('0'.repeat(20))).rejects.toMatchObject(missing)
    t.front.failNext('lose-response', { status: 404, body: GARBAGE })
    await expect(t.reelgate.folders.delete(7)).rejects.toMatchObject({ code: 'unknown_error' })
  })

  it('uses the key of the caller, so that two calls create one video', async () => {
    const options = { idempotencyKey: 'upload-7' }
    const first = await t.reelgate.videos.create({ source_url: t.api.sourceUrl() }, options)
    const second = await t.reelgate.videos.create({ source_url: t.api.sourceUrl() }, options)
    expect(second.id).toBe(first.id)
    expect(t.front.seen.at(-1)?.headers['idempotency-key']).toBe('upload-7')
  })

  it('sends a key only with a POST', async () => {
    const start = t.front.seen.length
    await t.reelgate.account.get()
    expect(keysOf(seenSince(start))).toEqual(new Set([undefined]))
  })

  it('waits for the Retry-After of a 429 before it retries', async () => {
    const start = t.front.seen.length
    t.front.failNext({ status: 429, headers: { 'Retry-After': '2' } })
    await t.reelgate.account.get()
    const [refused, repeated] = seenSince(start)
    const waitedMs = (repeated?.atMs ?? 0) - (refused?.atMs ?? 0)
    expect(waitedMs).toBeGreaterThanOrEqual(1990)
  })

  it('accepts a date as Retry-After', async () => {
    const start = t.front.seen.length
    const date = new Date(Date.now() + 2000).toUTCString()
    t.front.failNext({ status: 503, headers: { 'Retry-After': date } })
    await t.reelgate.account.get()
    const [refused, repeated] = seenSince(start)
    expect((repeated?.atMs ?? 0) - (refused?.atMs ?? 0)).toBeGreaterThan(900)
  })

  it('does not wait for a Retry-After that is longer than the remaining time', async () => {
    const key = await t.api.keyFor(t.api.ours.id, ['account:read'])
    const spent = t.clientWith({ apiKey: key, totalTimeoutMs: 5000 })
    await spent.account.get()
    await t.api.db.em.fork().execute(`update api_key_rate set day_count = 1000000
      where key_id = (select max(key_id) from api_key_rate)`)
    const start = t.front.seen.length
    await expect(spent.account.get()).rejects.toMatchObject({
      status: 429,
      code: 'rate_limited',
      type: 'rate_limit_error',
      isTransient: true,
      retryAfterSeconds: expect.any(Number),
    })
    expect(seenSince(start)).toHaveLength(1)
  })

  it('retries while an earlier attempt is still in progress', async () => {
    const start = t.front.seen.length
    const body = JSON.stringify({
      error: { type: 'conflict_error', code: 'idempotency_key_in_use' },
    })
    const headers = { 'Content-Type': 'application/json', 'Retry-After': '1' }
    t.front.failNext({ status: 409, headers, body })
    await t.reelgate.folders.create({ name: 'In use' })
    const [refused, repeated, ...more] = seenSince(start)
    expect(more).toEqual([])
    expect((repeated?.atMs ?? 0) - (refused?.atMs ?? 0)).toBeGreaterThan(990)
  })

  it('doubles the delay after each attempt and gives up after the last one', async () => {
    const start = t.front.seen.length
    t.front.failNext({ status: 502, body: GARBAGE }, { status: 500 }, { status: 504 })
    await expect(t.clientWith({ maxRetries: 2 }).account.get()).rejects.toMatchObject({
      status: 504,
      code: 'unknown_error',
      isTransient: true,
    })
    const [first, second, third, ...more] = seenSince(start).map(({ atMs }) => atMs)
    expect(more).toEqual([])
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThan(240)
    expect((third ?? 0) - (second ?? 0)).toBeGreaterThan(490)
  })

  it('limits each attempt and all attempts together', async () => {
    const start = t.front.seen.length
    t.front.failNext('stall')
    await t.clientWith({ timeoutMs: 1500 }).account.get()
    expect(seenSince(start)).toHaveLength(2)
    t.front.failNext('stall', 'stall', 'stall', 'stall')
    const before = t.front.seen.length
    const hasty = t.clientWith({ timeoutMs: 1000, totalTimeoutMs: 2000 })
    await expect(hasty.account.get()).rejects.toMatchObject({ code: 'timeout', status: undefined })
    // Without the total limit there would be four.
    expect(seenSince(before).length).toBeLessThan(4)
    t.front.failNext()
  })

  it('is aborted by the signal, also during a delay', async () => {
    const reason = new Error('The user left.')
    const controller = new AbortController()
    t.front.failNext({ status: 503, headers: { 'Retry-After': '30' } })
    setTimeout(() => controller.abort(reason), 300)
    const startedAt = Date.now()
    await expect(t.reelgate.account.get({ signal: controller.signal })).rejects.toBe(reason)
    expect(Date.now() - startedAt).toBeLessThan(25_000)
    await expect(t.reelgate.account.get({ signal: controller.signal })).rejects.toBe(reason)
  })
})

describe('a request', () => {
  it('names this client and its version', async () => {
    const text = await readFile(new URL('../package.json', import.meta.url), 'utf8')
    const { version } = JSON.parse(text) as { version: string }
    await t.reelgate.account.get()
    expect(t.front.seen.at(-1)?.headers['user-agent']).toBe(`reelgate-sdk/${version}`)
  })

  it.each([301, 302, 303, 307, 308])(
    'follows no redirect (%i), so that only the API gets the key',
    async (status) => {
      const other = await openFront(() => t.api.base)
      try {
        const start = t.front.seen.length
        t.front.failNext({ status, headers: { Location: `${other.url}/v1/account` } })
        await expect(t.reelgate.account.get()).rejects.toMatchObject({
          code: 'unexpected_redirect',
          type: 'connection_error',
          isTransient: false,
        })
        expect(other.seen).toEqual([])
        expect(seenSince(start)).toHaveLength(1)
      } finally {
        await other.close()
      }
    },
  )
})

describe('isTransient', () => {
  it('is true for exactly the API errors after which the call can succeed', async () => {
    const client = t.clientWith({ maxRetries: 0 })
    const transient: string[] = []
    for (const [code, { status, type }] of Object.entries(API_ERRORS)) {
      const headers = { 'Content-Type': 'application/json' }
      t.front.failNext({ status, headers, body: JSON.stringify({ error: { code, type } }) })
      const error = await client.account.get().catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ code, status })
      if ((error as ReelgateError).isTransient) transient.push(code)
    }
    expect(transient.toSorted()).toEqual([
      'idempotency_key_in_use',
      'internal_error',
      'rate_limited',
      'service_unavailable',
    ])
  })

  it('is true without a response, and false for a response of another server', async () => {
    const client = t.clientWith({ maxRetries: 0, timeoutMs: 500 })
    const outcomes = []
    for (const fault of ['refuse', 'cut-response', 'stall', { status: 200, body: 'x' }] as const) {
      t.front.failNext(fault)
      const { code, isTransient } = await client.account.get().then(
        () => ({ code: 'none', isTransient: false }),
        (error: ReelgateError) => error,
      )
      outcomes.push([code, isTransient])
    }
    expect(outcomes).toEqual([
      ['connection_failed', true],
      ['connection_failed', true],
      ['timeout', true],
      ['invalid_response', false],
    ])
  })
})

describe('the error of a call', () => {
  it('contains the response of the API, and is not retried if it is final', async () => {
    const start = t.front.seen.length
    const source_url = 'https://10.0.0.1/lesson.mp4'
    await expect(t.reelgate.videos.create({ source_url })).rejects.toMatchObject({
      name: 'ReelgateError',
      status: 422,
      code: 'source_not_allowed',
      type: 'invalid_request_error',
      requestId: expect.any(String),
      docUrl: expect.stringMatching(/docs\/errors#source_not_allowed$/),
      isTransient: false,
    })
    expect(seenSince(start)).toHaveLength(1)
    const body = { source_url, color: 1 } as { source_url: string }
    const refused = t.reelgate.videos.create(body)
    await expect(refused).rejects.toMatchObject({ code: 'unknown_parameter', param: 'color' })
  })

  it('is connection_failed without a response', async () => {
    const nowhere = t.clientWith({ baseUrl: 'http://127.0.0.1:1', maxRetries: 0 })
    await expect(nowhere.account.get()).rejects.toMatchObject({
      type: 'connection_error',
      code: 'connection_failed',
      isTransient: true,
    })
  })

  it('is invalid_response if another server responds', async () => {
    t.front.failNext({ status: 200, body: GARBAGE }, { status: 204 })
    for (let count = 0; count < 2; count++)
      await expect(t.reelgate.account.get()).rejects.toMatchObject({ code: 'invalid_response' })
  })

  it('never contains the API key', async () => {
    t.front.failNext('refuse', { status: 403 }, 'stall')
    const client = t.clientWith({ maxRetries: 0, timeoutMs: 500 })
    for (let count = 0; count < 3; count++) {
      const error: unknown = await client.account.get().catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(Error)
      expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(t.api.ours.key)
    }
  })
})
