import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { pino } from 'pino'
import { createAccountWithSecret, createKey } from '../cli/create-account.ts'
import { openDatabase } from '../db/database.ts'
import type { Database } from '../db/database.ts'
import { Account, Plan } from '../db/entities/account.ts'
import { ERRORS } from '../domain/error-codes.ts'
import { SCOPES } from '../domain/scopes.ts'
import { createEgress } from '../egress/egress.ts'
import { parseMasterKeys, unseal } from '../security/sealing.ts'
import { signViewerToken } from '../security/viewer-token.ts'
import { openOutsideHost } from '../test/service/outside-host.ts'
import type { OutsideHost } from '../test/service/outside-host.ts'
import { createTestDatabase } from '../test/services/index.ts'
import type { TestDatabase } from '../test/services/index.ts'
import { createApp } from './app.ts'

const masterKeys = parseMasterKeys(randomBytes(32).toString('hex'))

interface Account_ {
  id: number
  key: string
}

let database: TestDatabase
let db: Database
let folder: string
let outside: OutsideHost
let server: Server
let base: string
let ours: Account_
let theirs: Account_

async function makeAccount(): Promise<Account_> {
  const em = db.em.fork()
  const account = { name: 'Test', protection: 'clearkey', storageLimitBytes: null } as const
  const id = await createAccountWithSecret(em, masterKeys, account)
  return { id, key: await keyFor(id, [...SCOPES]) }
}

const keyFor = (accountId: number, scopes: (typeof SCOPES)[number][]): Promise<string> =>
  createKey(db.em.fork(), { accountId, name: 'test', scopes })

interface Call {
  body?: unknown
  raw?: string | Buffer
  key?: string | null
  headers?: Record<string, string>
}

async function call(method: string, path: string, options: Call = {}) {
  const { body, raw, key = ours.key, headers = {} } = options
  const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const response = await fetch(base + path, {
    method,
    headers: {
      ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
      ...(payload === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(payload === undefined ? {} : { body: payload }),
  })
  const text = await response.text()
  const json = (text === '' ? {} : JSON.parse(text)) as {
    [field: string]: unknown
    error?: { code: string; param?: string; type: string; request_id: string; message: string }
  }
  return { status: response.status, headers: response.headers, json, code: json.error?.code }
}

const film = (): string => `${outside.baseUrl}/films/film.mp4`
const create = (body: object = {}, headers = {}) =>
  call('POST', '/v1/videos', { body: { source_url: film(), ...body }, headers })

beforeAll(async () => {
  database = await createTestDatabase()
  db = await openDatabase({ url: database.url, poolSize: 8 })
  folder = await mkdtemp(join(tmpdir(), 'reelgate-api-'))
  await writeFile(join(folder, 'film.mp4'), Buffer.alloc(1000))
  outside = await openOutsideHost(folder, { 'film.mp4': join(folder, 'film.mp4') })
  const logger = pino({ level: 'silent' })
  const extraCa = [await readFile(outside.caFile, 'utf8')]
  const egress = createEgress({ allowedNetworks: ['127.0.0.0/8'], extraCa, logger })
  const embedBase = 'https://play.example'
  server = createApp({ db, masterKeys, egress, embedBase, logger, trustedProxies: 0 }).listen(0)
  await new Promise((resolve) => server.once('listening', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  ours = await makeAccount()
  theirs = await makeAccount()
})

afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await outside.close()
  await db.close(true)
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

describe('authentication', () => {
  it.each([
    ['no key', null, 401, 'missing_api_key'],
    ['nonsense', 'nonsense', 401, 'invalid_api_key'],
    ['an unknown key', `rg_live_${'x'.repeat(43)}`, 401, 'invalid_api_key'],
  ])('with %s is refused', async (_name, key, status, code) => {
    const answer = await call('GET', '/v1/account', { key })
    expect(answer).toMatchObject({ status, code })
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/)
  })

  it('with a revoked key is refused', async () => {
    const key = await keyFor(ours.id, ['account:read'])
    expect((await call('GET', '/v1/account', { key })).status).toBe(200)
    await db.em
      .fork()
      .execute(`update api_key set revoked_at = now() where hint = ?`, [key.slice(0, 12)])
    expect((await call('GET', '/v1/account', { key })).code).toBe('invalid_api_key')
  })

  it.each([
    ['POST', '/v1/videos'],
    ['GET', '/v1/videos/x'],
    ['GET', '/v1/videos/x/status'],
    ['GET', '/v1/videos/x/embed'],
    ['POST', '/v1/videos/x/playback-tokens'],
    ['POST', '/v1/webhook-endpoints'],
    ['GET', '/v1/webhook-deliveries'],
    ['GET', '/v1/webhook-deliveries/1'],
    ['GET', '/v1/account'],
    ['GET', '/v1/settings/player'],
  ])('%s %s needs its scope', async (method, path) => {
    const key = await keyFor(ours.id, ['folders:read'])
    const answer = await call(method, path, { key })
    expect(answer).toMatchObject({ status: 403, code: 'insufficient_scope' })
  })
})

describe('requests that cannot be read', () => {
  it.each([
    ['invalid JSON', { raw: '{"a":' }, 400, 'invalid_json'],
    [
      'no JSON type',
      { raw: 'a=b', headers: { 'Content-Type': 'text/plain' } },
      415,
      'unsupported_media_type',
    ],
    ['more than 8 MB', { raw: Buffer.alloc(10_000_000, 0x20) }, 413, 'payload_too_large'],
    ['a list', { body: [] }, 422, 'invalid_parameter'],
    ['null', { body: null }, 422, 'invalid_parameter'],
    ['nothing', {}, 422, 'invalid_parameter'],
    ['deep JSON', { raw: '['.repeat(100_000) + ']'.repeat(100_000) }, 422, 'invalid_parameter'],
  ])('with %s end with %3$i', async (_name, options, status, code) => {
    const answer = await call('POST', '/v1/videos', options)
    expect(answer).toMatchObject({ status, code })
  })

  it.each([
    ['GET', '/v1/nothing', 404, 'route_not_found', null],
    ['GET', '/', 404, 'route_not_found', null],
    ['GET', '/v1/%E0%A4%A', 404, 'route_not_found', null],
    ['DELETE', '/v1/account', 405, 'method_not_allowed', 'GET, HEAD'],
    ['PUT', '/v1/videos', 405, 'method_not_allowed', 'POST'],
  ])('%s %s ends with %i', async (method, path, status, code, allow) => {
    const answer = await call(method, path)
    expect(answer).toMatchObject({ status, code })
    expect(answer.headers.get('allow')).toBe(allow)
  })

  it('carry a request id in the answer and in its header', async () => {
    const { headers, json } = await call('GET', '/v1/nothing')
    expect(json.error?.request_id).toBe(headers.get('request-id'))
    expect(json.error).toMatchObject({
      type: 'invalid_request_error',
      message: ERRORS.route_not_found.message,
    })
  })
})

describe('POST /v1/videos', () => {
  it('answers 202 with the full video object, queued, with the command to ingest it', async () => {
    const { status, json } = await create({ description: 'Zoë' })
    expect(status).toBe(202)
    expect(json).toMatchObject({
      ...{
        object: 'video',
        status: 'queued',
        title: 'film.mp4',
        description: 'Zoë',
        folder_id: null,
      },
      ...{ duration: null, size_bytes: 0, poster_url: null, resolutions: [], error: null },
    })
    expect(json.id).toMatch(/^[0-9a-f]{20}$/)
    expect(json.embed_url).toBe(
      `https://play.example/${String(json.id)}/${encodeURIComponent(btoa(String(ours.id)))}`,
    )
    expect(json.created_at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+\+00:00$/)
    const rows = await db.em
      .fork()
      .execute(`select 1 from outbox where command = 'ingest-video' and subject_id = ?`, [json.id])
    expect(rows).toHaveLength(1)
  })

  it.each(['encryption', 'resolutions', 'keep_original', 'constructor', '__proto__', 'Title'])(
    'refuses the field %s',
    async (field) => {
      const raw = `{"source_url":"https://a.example/x.mp4","${field}":1}`
      const answer = await call('POST', '/v1/videos', { raw })
      expect(answer).toMatchObject({ status: 400, code: 'unknown_parameter' })
      expect(answer.json.error?.param).toBe(field)
    },
  )

  it.each([
    ['source_url', undefined],
    ['source_url', null],
    ['source_url', 7],
    ['title', ''],
    ['title', '  '],
    ['title', null],
    ['title', 'x'.repeat(256)],
    ['title', 'a\u0000b'],
    ['title', '\ud800'],
    ['description', 'x'.repeat(5001)],
    ['description', {}],
    ['folder_id', '1'],
    ['folder_id', 1.5],
    ['folder_id', 1e300],
  ])('refuses %s = %j', async (field, value) => {
    const answer = await create({ [field]: value })
    expect(answer).toMatchObject({ status: 422, code: 'invalid_parameter' })
    expect(answer.json.error?.param).toBe(field)
  })

  it.each([0, -1, 999_999, 2 ** 31, Number.MAX_SAFE_INTEGER])(
    'knows no folder %i',
    async (folder_id) => {
      expect(await create({ folder_id })).toMatchObject({ status: 400, code: 'folder_not_found' })
    },
  )

  it.each([
    ['http://a.example/x.mp4', 'invalid_source_url'],
    ['https://a.example:444/x.mp4', 'invalid_source_url'],
    ['not a link', 'invalid_source_url'],
    [`https://a.example/${'x'.repeat(2048)}`, 'invalid_source_url'],
    ['https://10.0.0.1/x.mp4', 'source_not_allowed'],
    ['https://[::1]/x.mp4', 'source_not_allowed'],
    ['https://169.254.169.254/latest', 'source_not_allowed'],
    ['https://nothing.invalid/x.mp4', 'source_unreachable'],
  ])('refuses the link %s with %s', async (source_url, code) => {
    expect(await create({ source_url })).toMatchObject({ status: 422, code })
  })

  it('refuses a link that answers HEAD with 404', async () => {
    const source_url = `${outside.baseUrl}/films/none.mp4`
    expect(await create({ source_url })).toMatchObject({ status: 422, code: 'source_unreachable' })
  })

  it('needs an active plan, and room in it, also for two requests at once', async () => {
    const account = await makeAccount()
    const post = () =>
      call('POST', '/v1/videos', { body: { source_url: film() }, key: account.key })
    const em = db.em.fork()
    await em.nativeUpdate(Plan, { accountId: account.id }, { storageLimitBytes: 1500 })
    const answers = await Promise.all([post(), post(), post()])
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([202, 422, 422])
    expect(answers.find(({ status }) => status === 422)?.code).toBe('insufficient_storage')
    await em.nativeUpdate(Plan, { accountId: account.id }, { isActive: false })
    expect((await post()).code).toBe('no_active_plan')
  })
})

describe('Idempotency-Key', () => {
  it('answers the same again, to the byte, and makes one video', async () => {
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const first = await create({}, headers)
    const second = await create({}, headers)
    expect(second.json).toEqual(first.json)
    expect(second.status).toBe(202)
    expect(second.headers.get('idempotent-replayed')).toBe('true')
  })

  it('with another body is refused', async () => {
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    await create({}, headers)
    expect(await create({ title: 'b' }, headers)).toMatchObject({
      status: 422,
      code: 'idempotency_key_reused',
    })
  })

  it('makes one video of twenty requests at once', async () => {
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const answers = await Promise.all(Array.from({ length: 20 }, () => create({}, headers)))
    const ids = new Set(answers.filter(({ status }) => status === 202).map(({ json }) => json.id))
    expect(ids.size).toBe(1)
    const others = answers.filter(({ status }) => status !== 202).map(({ code }) => code)
    expect(new Set(others)).toEqual(
      others.length > 0 ? new Set(['idempotency_key_in_use']) : new Set(),
    )
  })

  it('is free again after a request that came to nothing', async () => {
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    expect((await create({ source_url: 'https://10.0.0.1/x' }, headers)).status).toBe(422)
    expect((await create({}, headers)).status).toBe(202)
  })

  it('belongs to one account', async () => {
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const mine = await create({}, headers)
    const other = await call('POST', '/v1/videos', {
      body: { source_url: film() },
      key: theirs.key,
      headers,
    })
    expect(other.status).toBe(202)
    expect(other.json.id).not.toBe(mine.json.id)
  })

  it.each(['', 'x'.repeat(256)])('of an unusable form is refused', async (key) => {
    expect((await create({}, { 'Idempotency-Key': key })).code).toBe('invalid_idempotency_key')
  })
})

describe('one video', () => {
  it('is read whole, as status and as embed, by its account alone', async () => {
    const { json } = await create()
    const read = (suffix: string, key = ours.key) =>
      call('GET', `/v1/videos/${String(json.id)}${suffix}`, { key })
    expect((await read('')).json).toEqual(json)
    const status = (await read('/status')).json
    expect(Object.keys(status).sort()).toEqual([
      'duration',
      'id',
      'object',
      'size_bytes',
      'status',
      'updated_at',
    ])
    expect(status).toMatchObject({ object: 'video_status', size_bytes: 0, duration: null })
    expect((await read('/embed')).json.iframe_html).toContain(String(json.embed_url))
    for (const suffix of ['', '/status', '/embed'])
      expect((await read(suffix, theirs.key)).code).toBe('video_not_found')
  })

  it.each(['x', '0'.repeat(20), '%00', 'a'.repeat(5000)])('%s is not found', async (id) => {
    expect((await call('GET', `/v1/videos/${id}`)).status).toBe(404)
  })
})

describe('POST /v1/videos/{id}/playback-tokens', () => {
  let path: string

  beforeAll(async () => {
    path = `/v1/videos/${String((await create()).json.id)}/playback-tokens`
  })

  it('makes the token that the account could sign itself, byte for byte', async () => {
    const { status, json, headers } = await call('POST', path, {
      body: { viewer_id: 'zoë', ttl_seconds: 60 },
    })
    expect(status).toBe(201)
    expect(headers.get('cache-control')).toBe('private, no-store')
    const account = await db.em.fork().findOneOrFail(Account, { id: ours.id })
    const secret = unseal(
      masterKeys,
      account.sealedSigningSecret,
      `signing-secret:${ours.id}`,
    ).toString()
    expect(secret).toMatch(/^[0-9a-f]{64}$/)
    const expiresAtSeconds = Date.parse(String(json.expires_at)) / 1000
    expect(json.vt).toBe(signViewerToken({ viewerId: 'zoë', expiresAtSeconds }, secret))
    expect(expiresAtSeconds - Date.now() / 1000).toBeLessThanOrEqual(60)
    expect(json.deep_link).toBe(
      `service://play/${String(json.video_id)}/${btoa(String(ours.id))}/${String(json.vt)}`,
    )
    expect(json.embed_url).toContain(`?vt=${String(json.vt)}`)
  })

  it('lasts six hours unless asked otherwise', async () => {
    const { json } = await call('POST', path, { body: { viewer_id: 'v' } })
    const seconds = (Date.parse(String(json.expires_at)) - Date.now()) / 1000
    expect(Math.round(seconds / 10)).toBe(2160)
  })

  it.each([
    [{}, 'viewer_id'],
    [{ viewer_id: '' }, 'viewer_id'],
    [{ viewer_id: 'x'.repeat(65) }, 'viewer_id'],
    [{ viewer_id: 'é'.repeat(33) }, 'viewer_id'],
    [{ viewer_id: 'a\nb' }, 'viewer_id'],
    [{ viewer_id: 7 }, 'viewer_id'],
    [{ viewer_id: 'v', ttl_seconds: 59 }, 'ttl_seconds'],
    [{ viewer_id: 'v', ttl_seconds: 86_401 }, 'ttl_seconds'],
    [{ viewer_id: 'v', ttl_seconds: '60' }, 'ttl_seconds'],
    [{ viewer_id: 'v', ttl_seconds: null }, 'ttl_seconds'],
  ])('refuses %j', async (body, param) => {
    const answer = await call('POST', path, { body })
    expect(answer).toMatchObject({ status: 422, code: 'invalid_parameter' })
    expect(answer.json.error?.param).toBe(param)
  })

  it('is refused for another account', async () => {
    const answer = await call('POST', path, { body: { viewer_id: 'v' }, key: theirs.key })
    expect(answer.code).toBe('video_not_found')
  })
})

describe('POST /v1/webhook-endpoints', () => {
  const post = (body: object, key = ours.key) =>
    call('POST', '/v1/webhook-endpoints', { body, key })
  const url = (): string => `${outside.baseUrl}/hook`

  it('answers with the endpoint and, this once, its secret', async () => {
    const { status, json } = await post({ url: url(), events: ['video.ready', 'video.ready'] })
    expect(status).toBe(201)
    expect(json).toMatchObject({
      ...{ object: 'webhook_endpoint', events: ['video.ready'], is_active: true, failure_count: 0 },
      secret: expect.stringMatching(/^whsec_/),
    })
    const [row] = await db.em
      .fork()
      .execute<{ row: string }[]>('select w::text as row from webhook_endpoint w')
    expect(row?.row).not.toContain(String(json.secret))
  })

  it.each([
    [{ events: ['video.ready'] }, 422, 'invalid_parameter'],
    [{ url: 'https://a.example/', events: [] }, 422, 'invalid_parameter'],
    [{ url: 'https://a.example/', events: ['webhook.test'] }, 422, 'unknown_event_type'],
    [{ url: 'https://a.example/', events: ['video.made'] }, 422, 'unknown_event_type'],
    [{ url: 'http://a.example/', events: ['video.ready'] }, 422, 'invalid_webhook_url'],
    [{ url: 'https://a.example:9/', events: ['video.ready'] }, 422, 'invalid_webhook_url'],
    [{ url: 'https://192.168.0.1/', events: ['video.ready'] }, 422, 'webhook_url_not_allowed'],
    [{ url: 'https://nothing.invalid/', events: ['video.ready'] }, 422, 'webhook_url_unreachable'],
    [{ url: 'https://a.example/', events: ['video.ready'], secret: 'x' }, 400, 'unknown_parameter'],
  ])('refuses %j', async (body, status, code) => {
    expect(await post(body)).toMatchObject({ status, code })
  })

  it('takes at most twenty, also of many at once', async () => {
    const account = await makeAccount()
    const body = { url: url(), events: ['usage.threshold_reached'] }
    const answers = await Promise.all(Array.from({ length: 25 }, () => post(body, account.key)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20)
    expect(answers.filter(({ code }) => code === 'too_many_webhook_endpoints')).toHaveLength(5)
  })
})

describe('GET /v1/webhook-deliveries', () => {
  const list = (query: string, key = ours.key) =>
    call('GET', `/v1/webhook-deliveries${query}`, { key })

  it('lists newest first, in pages, by its account alone', async () => {
    const em = db.em.fork()
    await em.execute(
      `insert into event (id, account_id, type, body) values ('evt_1', ?, 'video.ready', '{}')`,
      [ours.id],
    )
    await em.execute(
      `insert into webhook_delivery (account_id, endpoint_id, event_id, event_type, status)
       select ?, (select min(id) from webhook_endpoint where account_id = ?), 'evt_1', 'video.ready', 'failed'
       from generate_series(1, 5)`,
      [ours.id, ours.id],
    )
    const first = await list('?limit=2&status=failed')
    const ids = (answer: typeof first) => (answer.json.data as { id: number }[]).map(({ id }) => id)
    expect(first.json).toMatchObject({
      object: 'list',
      has_more: true,
      url: '/v1/webhook-deliveries',
    })
    const [a = 0, b = 0] = ids(first)
    expect(a).toBeGreaterThan(b)
    const second = await list(`?limit=10&event_id=evt_1&starting_after=${b}`)
    expect(ids(second)).toHaveLength(3)
    expect(second.json.has_more).toBe(false)
    expect(ids(await list(`?limit=2&ending_before=${String(ids(second).at(0))}`))).toEqual([a, b])
    expect((await call('GET', `/v1/webhook-deliveries/${a}`)).json).toMatchObject({
      id: a,
      attempts: [],
    })
    expect((await list('', theirs.key)).json.data).toEqual([])
    expect((await call('GET', `/v1/webhook-deliveries/${a}`, { key: theirs.key })).code).toBe(
      'webhook_delivery_not_found',
    )
  })

  it.each([
    ['?state=failed', 400, 'unknown_parameter'],
    ['?status=late', 422, 'invalid_parameter'],
    ['?limit=0', 422, 'invalid_parameter'],
    ['?limit=101', 422, 'invalid_parameter'],
    ['?limit=x', 422, 'invalid_parameter'],
    ['?endpoint_id=99999999999', 422, 'invalid_parameter'],
    ['?event_id=%00', 422, 'invalid_parameter'],
    ['?status=failed&status=failed', 422, 'invalid_parameter'],
    ['?starting_after=1&ending_before=2', 422, 'invalid_parameter'],
  ])('refuses %s', async (query, status, code) => {
    expect(await list(query)).toMatchObject({ status, code })
  })

  it.each(['0', 'x', '99999999999', '1.5'])('knows no delivery %s', async (id) => {
    expect((await call('GET', `/v1/webhook-deliveries/${id}`)).code).toBe(
      'webhook_delivery_not_found',
    )
  })
})

describe('account and settings', () => {
  it('are read, and cannot be changed', async () => {
    expect((await call('GET', '/v1/account')).json).toMatchObject({
      id: ours.id,
      object: 'account',
    })
    const { json } = await call('GET', '/v1/settings/player')
    for (const group of [
      'theme',
      'colors',
      'available_resolutions',
      'subtitles',
      'watermark',
      'allowed_domains',
      'blocked_domains',
      'app_only_l3',
      'keep_original',
    ])
      expect(json).toHaveProperty(group)
    expect((await call('PATCH', '/v1/settings/player', { body: {} })).status).toBe(405)
  })

  it('answer health checks', async () => {
    expect((await call('GET', '/healthz', { key: null })).status).toBe(200)
    expect((await call('GET', '/readyz', { key: null })).status).toBe(200)
  })
})
