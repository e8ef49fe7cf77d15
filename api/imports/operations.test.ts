import { beforeEach, describe, expect, it } from 'vitest'
import {
  IMPORT_LINES_A_DAY_MAX,
  IMPORT_LINES_MAX,
  METADATA_KEYS_MAX,
  RUNNING_IMPORTS_MAX,
} from '../../domain/limits.ts'
import { setUpApiFixture } from '../../test/fixtures/api.ts'

const t = setUpApiFixture()
const { call } = t
const PATH = '/v1/imports'

let account: { id: number; key: string }

beforeEach(async () => {
  account = await t.makeAccount()
})

const own = (method: string, path: string, body?: object, headers = {}) =>
  call(method, path, { ...(body && { body }), key: account.key, headers })
const post = (lines: object[], more: object = {}, headers = {}) =>
  own('POST', PATH, { lines, ...more }, headers)
const line = (more: object = {}) => ({ source_url: t.sourceUrl(), ...more })
const lines = (count: number) =>
  Array.from({ length: count }, (_, at) => line({ external_id: `own-${at}` }))

describe('POST /v1/imports', () => {
  it('starts one durable import and returns its progress', async () => {
    const { status, json } = await post([line({ external_id: 'own-1' }), line()], { at_once: 2 })
    expect(status).toBe(202)
    expect(json).toMatchObject({
      object: 'import',
      state: 'running',
      at_once: 2,
      line_count: 2,
      lines: { waiting: 2, started: 0, ready: 0, failed: 0, exists: 0, cancelled: 0 },
      completed_at: null,
    })
    const requested = await t.db.em.fork()
      .execute(`select subject_id, account_id from outbox where command = 'import-videos'
        order by id desc limit 1`)
    expect(requested).toEqual([{ subject_id: String(json.id), account_id: account.id }])
    expect((await own('GET', `${PATH}/${String(json.id)}`)).json).toEqual(json)
    expect((await own('GET', PATH)).json.data).toEqual([json])
  })

  it('starts one import for two requests with the same Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const first = await post([line()], {}, headers)
    expect((await post([line()], {}, headers)).json).toEqual(first.json)
    expect((await own('GET', PATH)).json.data).toHaveLength(1)
  })

  it.each<[string, () => object[]]>([
    ['no line', () => []],
    [
      'more lines than it may have',
      () => Array.from({ length: IMPORT_LINES_MAX + 1 }, () => line()),
    ],
    ['a line without a link', () => [{ title: 'A' }]],
    ['a line with a link and a key', () => [line({ key: 'a.mp4' })]],
    ['a key without a bucket', () => [{ key: 'a.mp4' }]],
    ['a checksum in another form', () => [line({ sha256: 'A'.repeat(64) })]],
    [
      'two lines with the same external id',
      () => [line({ external_id: 'x' }), line({ external_id: 'x' })],
    ],
  ])('refuses %s', async (_what, given) => {
    expect(await post(given())).toMatchObject({ status: 422, code: 'invalid_parameter' })
    expect((await own('GET', PATH)).json.data).toEqual([])
  })

  it('names the line and the field of a fault', async () => {
    const { json } = await post([line(), line({ external_id: 7 })])
    expect(json.error?.param).toBe('lines.1.external_id')
    const unknown = await post([line(), line({ events: [] })])
    expect([unknown.status, unknown.code]).toEqual([400, 'unknown_parameter'])
    const metadata = JSON.parse('{"__proto__":"x"}') as object
    const proto = await post([line({ metadata })])
    expect([proto.status, proto.json.error?.param]).toEqual([400, 'lines.0.metadata.__proto__'])
  })

  it('refuses a folder of another account, too much metadata, and more than twenty running imports', async () => {
    const folder = await call('POST', '/v1/folders', { body: { name: crypto.randomUUID() } })
    expect(await post([line({ folder_id: folder.json.id })])).toMatchObject({
      code: 'folder_not_found',
    })
    const keys = Array.from({ length: METADATA_KEYS_MAX + 1 }, (_, at) => [`key-${at}`, 'x'])
    expect(await post([line({ metadata: Object.fromEntries(keys) })])).toMatchObject({
      code: 'too_much_metadata',
    })
    for (let count = 0; count < RUNNING_IMPORTS_MAX; count += 1)
      expect((await post([line()])).status).toBe(202)
    expect(await post([line()])).toMatchObject({ status: 422, code: 'too_many_imports' })
  })
})

it('counts the lines that an account imports within a day, also of imports that were cancelled', async () => {
  const id = String((await post([line()])).json.id)
  await own('POST', `${PATH}/${id}/cancel`)
  const em = t.db.em.fork()
  await em.execute('update video_import set line_count = ? where id = ?', [
    IMPORT_LINES_A_DAY_MAX - 1,
    id,
  ])
  expect(await post([line(), line()])).toMatchObject({ status: 422, code: 'too_many_imports' })
  expect((await post([line()])).status).toBe(202)
  expect(await post([line()])).toMatchObject({ code: 'too_many_imports' })
  await em.execute(`update video_import set created_at = now() - interval '25 hours'`)
  expect((await post([line()])).status).toBe(202)
})

describe('a bucket', () => {
  const bucket = {
    endpoint: 'https://s3.example.com',
    region: 'eu-1',
    name: 'lessons',
    access_key_id: 'id-of-the-key',
    secret_access_key: 'secret-of-the-key',
  }

  it('is shown without what opens it, in no response, log line or row', async () => {
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const { status, json } = await post([{ key: 'a/1.mp4' }], { bucket }, headers)
    expect(status).toBe(202)
    const { endpoint, region, name } = bucket
    expect(json.bucket).toEqual({ endpoint, region, name })
    expect(JSON.stringify(json)).not.toContain('of-the-key')
    expect(t.logLines.join('')).not.toContain('of-the-key')
    const em = t.db.em.fork()
    for (const table of [
      'video_import',
      'video_import_line',
      'idempotency_record',
      'audit_entry',
      'outbox',
    ])
      expect(JSON.stringify(await em.execute(`select * from ${table}`))).not.toContain('of-the-key')
  })

  it.each([
    ['an address without TLS', { endpoint: 'http://s3.example.com' }],
    ['an address with a path', { endpoint: 'https://s3.example.com/lessons' }],
    ['a name with a slash', { name: 'a/b' }],
    ['an empty secret', { secret_access_key: '' }],
  ])('is refused with %s', async (_what, wrong) => {
    expect(await post([{ key: 'a.mp4' }], { bucket: { ...bucket, ...wrong } })).toMatchObject({
      status: 422,
      code: 'invalid_parameter',
    })
  })
})

describe('GET /v1/imports/{id}/lines', () => {
  it('pages through the lines in their order, forwards and back, also of one state', async () => {
    const id = String((await post(lines(5))).json.id)
    await t.db.em
      .fork()
      .execute(`update video_import_line set state = 'failed' where import_id = ? and number > 3`, [
        id,
      ])
    const numbers = async (query: string) => {
      const { json } = await own('GET', `${PATH}/${id}/lines?${query}`)
      return [(json.data as { number: number }[]).map(({ number }) => number), json.has_more]
    }
    expect(await numbers('limit=2')).toEqual([[1, 2], true])
    expect(await numbers('limit=2&starting_after=2')).toEqual([[3, 4], true])
    expect(await numbers('limit=2&starting_after=4')).toEqual([[5], false])
    expect(await numbers('limit=2&ending_before=4')).toEqual([[2, 3], true])
    expect(await numbers('state=failed')).toEqual([[4, 5], false])
  })

  it('shows no lines of another account', async () => {
    const id = String((await post(lines(1))).json.id)
    for (const path of [`${PATH}/${id}`, `${PATH}/${id}/lines`])
      expect(await call('GET', path)).toMatchObject({ status: 404, code: 'import_not_found' })
    expect(await call('POST', `${PATH}/${id}/cancel`)).toMatchObject({ code: 'import_not_found' })
  })
})

describe('POST /v1/imports/{id}/cancel', () => {
  it('cancels the lines that wait, and changes nothing the second time', async () => {
    const id = String((await post(lines(2))).json.id)
    const { json } = await own('POST', `${PATH}/${id}/cancel`)
    expect(json).toMatchObject({ state: 'cancelled', lines: { waiting: 0, cancelled: 2 } })
    expect((await own('POST', `${PATH}/${id}/cancel`)).json).toEqual(json)
  })
})
