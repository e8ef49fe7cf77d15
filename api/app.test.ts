import { once } from 'node:events'
import { IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { SCOPES } from '../domain/accounts/scopes.ts'
import { ERRORS } from '../domain/error-codes.ts'
import { setUpApiFixture } from '../test/fixtures/api.ts'
import { waitFor } from '../test/infrastructure/wait-for.ts'
import { OPERATIONS } from './operations.ts'

const t = setUpApiFixture()
const { call, create, keyFor } = t

describe('authentication', () => {
  it.each([
    ['no key', null, 401, 'missing_api_key'],
    ['nonsense', 'nonsense', 401, 'invalid_api_key'],
    ['an unknown key', `rg_live_${'x'.repeat(43)}`, 401, 'invalid_api_key'],
  ])('with %s is refused', async (_name, key, status, code) => {
    const response = await call('GET', '/v1/account', { key })
    expect(response).toMatchObject({ status, code })
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/)
  })

  it('refuses a revoked key', async () => {
    const key = await keyFor(t.ours.id, ['account:read'])
    expect((await call('GET', '/v1/account', { key })).status).toBe(200)
    await t.db.em
      .fork()
      .execute(`update api_key set revoked_at = now() where hint = ?`, [key.slice(0, 12)])
    expect((await call('GET', '/v1/account', { key })).code).toBe('invalid_api_key')
  })

  it('refuses a key that was revoked before the body of its request had come', async () => {
    const key = await keyFor(t.ours.id, ['folders:write'])
    const body = JSON.stringify({ name: 'Late' })
    const sending = request(`${t.base}/v1/folders`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        'Content-Length': body.length,
      },
    })
    const responded = once(sending, 'response')
    sending.write(body.slice(0, -1))
    const execute = (sql: string): Promise<unknown[]> =>
      t.db.em.fork().execute(sql, [key.slice(0, 12)])
    await waitFor('the request to be let in', async () => {
      const admitted = await execute(
        'select 1 from api_key_rate join api_key on id = key_id where hint = ?',
      )
      return admitted.length > 0
    })
    await execute('update api_key set revoked_at = now() where hint = ?')
    sending.end(body.slice(-1))
    const [response] = z.tuple([z.instanceof(IncomingMessage)]).parse(await responded)
    expect([response.statusCode, await text(response)]).toEqual([
      401,
      expect.stringContaining('invalid_api_key'),
    ])
    expect(response.headers['www-authenticate']).toMatch(/^Bearer/)
    const { json } = await call('GET', '/v1/folders')
    expect(json.data).toEqual([])
  })

  it.each(
    OPERATIONS.map(({ method, path, scope }) => [method.toUpperCase(), path, scope] as const),
  )('%s %s requires its scope %s', async (method, path, scope) => {
    const others = SCOPES.filter((one) => one !== scope)
    const key = await keyFor(t.ours.id, others)
    const response = await call(method, path.replaceAll(/\{\w+\}/g, 'x'), { key })
    expect(response).toMatchObject({ status: 403, code: 'insufficient_scope' })
    expect(response.headers.get('www-authenticate')).toContain(`scope="${scope}"`)
  })
})

describe('unreadable requests', () => {
  it.each([
    ['invalid JSON', { raw: '{"a":' }, 400, 'invalid_json'],
    [
      'no JSON type',
      { raw: 'a=b', headers: { 'Content-Type': 'text/plain' } },
      415,
      'unsupported_media_type',
    ],
    ['more than 64 KiB', { raw: Buffer.alloc(10_000_000, 0x20) }, 413, 'payload_too_large'],
    ['a list', { body: [] }, 422, 'invalid_parameter'],
    ['null', { body: null }, 422, 'invalid_parameter'],
    ['nothing', {}, 422, 'invalid_parameter'],
    ['deep JSON', { raw: '['.repeat(30_000) + ']'.repeat(30_000) }, 422, 'invalid_parameter'],
  ])('with %s end with %3$i', async (_name, options, status, code) => {
    const response = await call('POST', '/v1/videos', options)
    expect(response).toMatchObject({ status, code })
  })

  it('get 422 for null instead of an optional object', async () => {
    const path = `/v1/videos/${String((await create()).json.id)}`
    expect((await call('PATCH', path)).status).toBe(200)
    expect(await call('PATCH', path, { body: null })).toMatchObject({
      status: 422,
      code: 'invalid_parameter',
    })
  })

  it.each([
    ['GET', '/v1/nothing', 404, 'route_not_found', null],
    ['GET', '/', 404, 'route_not_found', null],
    ['GET', '/v1/%E0%A4%A', 404, 'route_not_found', null],
    ['DELETE', '/v1/account', 405, 'method_not_allowed', 'GET, HEAD'],
    ['PUT', '/v1/videos', 405, 'method_not_allowed', 'POST, GET, HEAD'],
  ])('%s %s ends with %i', async (method, path, status, code, allow) => {
    const response = await call(method, path)
    expect(response).toMatchObject({ status, code })
    expect(response.headers.get('allow')).toBe(allow)
  })

  it('have a request id in the body and in the header', async () => {
    const { headers, json } = await call('GET', '/v1/nothing')
    expect(json.error?.request_id).toBe(headers.get('request-id'))
    expect(json.error).toMatchObject({
      type: 'invalid_request_error',
      message: ERRORS.route_not_found.message,
    })
  })
})

describe('health checks', () => {
  it('need no key', async () => {
    expect((await call('GET', '/healthz', { key: null })).status).toBe(200)
    expect((await call('GET', '/readyz', { key: null })).status).toBe(200)
  })
})
