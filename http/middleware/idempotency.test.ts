import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { claimKey } from '../../db/accounts/write-idempotency.ts'
import { IDEMPOTENCY_BYTES_PER_DAY } from '../../domain/limits.ts'
import { setUpApiFixture } from '../../test/fixtures/api.ts'
import { waitFor } from '../../test/infrastructure/wait-for.ts'
import { responseAllowance } from './idempotency.ts'

const t = setUpApiFixture()
const { call, create, sourceUrl } = t

describe('Idempotency-Key', () => {
  it('returns the same bytes again and creates one video', async () => {
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const first = await create({}, headers)
    const second = await create({}, headers)
    expect(second.json).toEqual(first.json)
    expect(second.status).toBe(202)
    expect(second.headers.get('idempotent-replayed')).toBe('true')
  })

  it('is refused with another body', async () => {
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    await create({}, headers)
    expect(await create({ title: 'b' }, headers)).toMatchObject({
      status: 422,
      code: 'idempotency_key_reused',
    })
  })

  it('creates one video for twenty concurrent requests', async () => {
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const responses = await Promise.all(Array.from({ length: 20 }, () => create({}, headers)))
    const ids = new Set(responses.filter(({ status }) => status === 202).map(({ json }) => json.id))
    expect(ids.size).toBe(1)
    const others = responses.filter(({ status }) => status !== 202).map(({ code }) => code)
    expect(new Set(others)).toEqual(
      others.length > 0 ? new Set(['idempotency_key_in_use']) : new Set(),
    )
  })

  it('is released after a failed request', async () => {
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    expect((await create({ source_url: 'https://10.0.0.1/x' }, headers)).status).toBe(422)
    expect((await create({}, headers)).status).toBe(202)
  })

  it('belongs to one account', async () => {
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const mine = await create({}, headers)
    const other = await call('POST', '/v1/videos', {
      body: { source_url: sourceUrl() },
      key: t.theirs.key,
      headers,
    })
    expect(other.status).toBe(202)
    expect(other.json.id).not.toBe(mine.json.id)
  })

  it.each(['', 'x'.repeat(256)])('is refused in an invalid form', async (key) => {
    expect((await create({}, { 'Idempotency-Key': key })).code).toBe('invalid_idempotency_key')
  })
})

describe('Idempotency-Key on every POST', () => {
  const key = () => ({ 'Idempotency-Key': crypto.randomUUID() })

  it.each([
    ['/v1/folders', () => ({ name: crypto.randomUUID() }), 'folder'],
    ['/v1/videos/{id}/playback-tokens', () => ({ viewer_id: 'v' }), 'playback_token'],
    ['/v1/videos/{id}/chapters', () => ({ title: 'One', start: 0, end: 5 }), 'list'],
    ['/v1/videos/{id}/moments', () => ({ label: 'Now', timestamp: 1 }), 'moment'],
    [
      '/v1/videos/{id}/captions',
      () => ({ language_code: 'en', label: 'English', content: 'WEBVTT' }),
      'caption',
    ],
    [
      '/v1/webhook-endpoints',
      () => ({ url: `${t.outside.baseUrl}/hook`, events: ['video.ready'] }),
      'webhook_endpoint',
    ],
  ])('%s does its work once', async (template, makeBody, object) => {
    const path = template.replace('{id}', String((await create()).json.id))
    const [headers, body] = [key(), makeBody()]
    // On a busy machine the parser of captions may exceed its ten seconds. That refusal releases the key.
    const first = await waitFor('a response', async () => {
      const response = await call('POST', path, { body, headers })
      return response.code !== 'invalid_caption' && response
    })
    expect(first.json.object).toBe(object)
    const second = await call('POST', path, { body, headers })
    expect(second).toMatchObject({ status: first.status, json: first.json })
    expect(second.headers.get('idempotent-replayed')).toBe('true')
  })

  it('seals the stored response, which contains a secret', async () => {
    const body = { url: `${t.outside.baseUrl}/hook`, events: ['video.ready'] }
    const { json } = await call('POST', '/v1/webhook-endpoints', { body, headers: key() })
    const rows = await t.db.em
      .fork()
      .execute<{ all: string }[]>('select idempotency_record::text as all from idempotency_record')
    expect(rows.length).toBeGreaterThan(0)
    for (const row of rows) expect(row.all).not.toContain(String(json.secret))
  })

  it('treats another spelling of the same JSON as the same body', async () => {
    const headers = key()
    const send = (raw: string) => call('POST', '/v1/videos', { raw, headers })
    const first = await send(`{"source_url":"${sourceUrl()}","title":"A"}`)
    const second = await send(`{ "title": "\\u0041", "source_url": "${sourceUrl()}" }`)
    expect(second.json).toEqual(first.json)
  })
})

describe('the responses that are kept for an account', () => {
  it('have a number of bytes in a day: a longer one is refused with its work, and short ones are kept on', async () => {
    const id = String((await create()).json.id)
    const change = (description: string, headers: Record<string, string> = {}) =>
      call('PATCH', `/v1/videos/${id}`, { body: { description }, headers })
    responseAllowance.forget(t.ours.id)
    onTestFinished(() => responseAllowance.forget(t.ours.id))
    expect(responseAllowance.take(t.ours.id, IDEMPOTENCY_BYTES_PER_DAY, Date.now())).toBe(0)
    const [headers, long] = [{ 'Idempotency-Key': crypto.randomUUID() }, '語'.repeat(5000)]
    const refused = await change(long, headers)
    expect(refused).toMatchObject({ status: 429, code: 'rate_limited' })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await call('GET', `/v1/videos/${id}`)).json.description).toBe('')
    expect((await change('short', { 'Idempotency-Key': crypto.randomUUID() })).status).toBe(200)
    expect((await change(long)).status).toBe(200)
    responseAllowance.forget(t.ours.id)
    const first = await change(long, headers)
    const second = await change(long, headers)
    expect(first.json.description).toBe(long)
    expect(second.json).toEqual(first.json)
    expect(second.headers.get('idempotent-replayed')).toBe('true')
  })
})

describe('a crash between the work and the response', () => {
  const recordOf = (key: string) =>
    t.db.em.fork().execute(`select 1 from idempotency_record where key = ?`, [key])

  it('before the commit: the repeat is refused until the lock expires, then does the work', async () => {
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const scope = {
      accountId: t.ours.id,
      route: 'POST /v1/folders',
      key: headers['Idempotency-Key'],
    }
    const body = { name: crypto.randomUUID() }
    const fingerprint = createHash('sha256').update(JSON.stringify(body)).digest('hex')
    await claimKey(t.db.em.fork(), scope, fingerprint)
    const repeat = () => call('POST', '/v1/folders', { body, headers })
    const inUse = await repeat()
    expect(inUse).toMatchObject({ status: 409, code: 'idempotency_key_in_use' })
    expect(inUse.headers.get('retry-after')).toBe('1')
    await t.db.em
      .fork()
      .execute(`update idempotency_record set locked_until = now() where key = ?`, [scope.key])
    expect((await repeat()).status).toBe(201)
    expect((await repeat()).headers.get('idempotent-replayed')).toBe('true')
  })

  it.each([600_000, -600_000])(
    'holds the lock for a minute, also where the clock of the process is %i ms off',
    async (stepMs) => {
      const scope = { accountId: t.ours.id, route: 'POST /v1/folders', key: crypto.randomUUID() }
      const stepped = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + stepMs)
      const claim = await claimKey(t.db.em.fork(), scope, 'body').finally(() =>
        stepped.mockRestore(),
      )
      expect(claim.outcome).toBe('claimed')
      const [row] = await t.db.em
        .fork()
        .execute<{ seconds: number }[]>(
          `select extract(epoch from locked_until - created_at)::float8 as seconds from idempotency_record where key = ?`,
          [scope.key],
        )
      expect(Math.round(row?.seconds ?? 0)).toBe(60)
    },
  )

  it('after the commit: the repeat gets the response that was never received', async () => {
    const key = crypto.randomUUID()
    const { host, port } = new URL(t.base)
    const body = JSON.stringify({ name: crypto.randomUUID() })
    const socket = connect(Number(port), '127.0.0.1')
    const head = [
      'POST /v1/folders HTTP/1.1',
      `Host: ${host}`,
      `Authorization: Bearer ${t.ours.key}`,
      `Idempotency-Key: ${key}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
    await waitFor('the claim', async () => (await recordOf(key)).length > 0)
    socket.destroy()
    const response = await waitFor('the response', async () => {
      const repeat = await call('POST', '/v1/folders', {
        raw: body,
        headers: { 'Idempotency-Key': key },
      })
      return repeat.status === 201 && repeat
    })
    expect(response.headers.get('idempotent-replayed')).toBe('true')
  })
})
