import { describe, expect, it } from '@jest/globals'
import { setUpApi } from '../testing/api-world.ts'

const t = setUpApi()
const { call, create, film } = t

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
      key: t.theirs.key,
      headers,
    })
    expect(other.status).toBe(202)
    expect(other.json.id).not.toBe(mine.json.id)
  })

  it.each(['', 'x'.repeat(256)])('of an unusable form is refused', async (key) => {
    expect((await create({}, { 'Idempotency-Key': key })).code).toBe('invalid_idempotency_key')
  })
})
