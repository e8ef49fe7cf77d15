import { describe, expect, it } from 'vitest'
import { OPERATIONS } from '../api/operations.ts'
import { setUpApiFixture } from '../test/fixtures/api.ts'

const api = setUpApiFixture()

interface Entry {
  action: string
  subject: string
  before: object | null
  after: object | null
  actorKind: string
  actorName: string
  requestId: string
}

/** The entries of the account, oldest first. */
const entries = (accountId: number): Promise<Entry[]> =>
  api.db.em.fork().execute<Entry[]>(
    `select action, subject, before, after, actor_kind as "actorKind", actor_name as "actorName",
       request_id as "requestId" from audit_entry where account_id = ? order by id`,
    [accountId],
  )

const lastEntry = async (accountId: number): Promise<Entry | undefined> =>
  (await entries(accountId)).at(-1)

describe('an operation that writes', () => {
  it.each(OPERATIONS.filter(({ method }) => method !== 'get'))(
    'says what the audit log records: $id',
    ({ audit }) => expect(audit).not.toBeUndefined(),
  )

  it.each(OPERATIONS.filter(({ method }) => method === 'get'))(
    'is no operation that reads: $id',
    ({ audit }) => expect(audit).toBeUndefined(),
  )
})

describe('the audit log', () => {
  it('names the key, the request and the new object', async () => {
    const made = await api.call('POST', '/v1/folders', { body: { name: 'Autumn' } })
    expect(await lastEntry(api.ours.id)).toEqual({
      action: 'folder.create',
      subject: String(made.json.id),
      before: null,
      after: { name: 'Autumn' },
      actorKind: 'key',
      actorName: 'test',
      requestId: made.headers.get('Request-Id'),
    })
  })

  it('shows what a change changed, and nothing for a change that changed nothing', async () => {
    const { json } = await api.call('POST', '/v1/folders', { body: { name: 'Winter' } })
    await api.call('PATCH', `/v1/folders/${Number(json.id)}`, { body: { name: 'Spring' } })
    expect(await lastEntry(api.ours.id)).toMatchObject({
      action: 'folder.update',
      before: { name: 'Winter' },
      after: { name: 'Spring' },
    })
    const { length } = await entries(api.ours.id)
    await api.call('PATCH', `/v1/folders/${Number(json.id)}`, { body: { name: 'Spring' } })
    expect(await entries(api.ours.id)).toHaveLength(length)
  })

  it('keeps the last state of what was deleted', async () => {
    const { json } = await api.call('POST', '/v1/folders', { body: { name: 'Summer' } })
    await api.call('DELETE', `/v1/folders/${Number(json.id)}`)
    expect(await lastEntry(api.ours.id)).toMatchObject({
      action: 'folder.delete',
      subject: String(json.id),
      before: { name: 'Summer' },
      after: null,
    })
  })

  it('names the part of a video that was changed', async () => {
    const { json: video } = await api.create()
    const path = `/v1/videos/${String(video.id)}/chapters`
    const chapter = { title: 'One', start: 0, end: 10 }
    const made = await api.call('POST', path, { body: chapter })
    expect(made.status).toBe(201)
    const entry = await lastEntry(api.ours.id)
    expect(entry).toMatchObject({ action: 'chapter.create', after: chapter })
    expect(entry?.subject).toMatch(new RegExp(`^${String(video.id)}/\\d+$`))
  })

  it('never holds a secret', async () => {
    const made = await api.call('POST', '/v1/webhook-endpoints', {
      body: { url: `${api.outside.baseUrl}/hook`, events: ['video.ready'] },
    })
    expect(made.json.secret).toMatch(/^whsec_/)
    const path = `/v1/webhook-endpoints/${Number(made.json.id)}/rotate-secret`
    const rotated = await api.call('POST', path, { body: {} })
    const log = JSON.stringify(await entries(api.ours.id))
    expect(log).toContain('webhook_endpoint.rotate_secret')
    expect(log).not.toContain(String(made.json.secret))
    expect(log).not.toContain(String(rotated.json.secret))
  })

  it('has no entry for a refused change, and one for a change that is repeated with its key', async () => {
    const { length } = await entries(api.ours.id)
    const refused = await api.call('DELETE', '/v1/folders/999999')
    expect(refused.status).toBe(404)
    expect(await entries(api.ours.id)).toHaveLength(length)
    const headers = { 'Idempotency-Key': 'audit-once' }
    const body = { name: 'Once' }
    await api.call('POST', '/v1/folders', { body, headers })
    await api.call('POST', '/v1/folders', { body, headers })
    expect(await entries(api.ours.id)).toHaveLength(length + 1)
  })

  it('has no entry for a viewer token, which changes nothing', async () => {
    const { json: video } = await api.create()
    const { length } = await entries(api.ours.id)
    const path = `/v1/videos/${String(video.id)}/playback-tokens`
    await api.call('POST', path, { body: { viewer_id: 'anna' } })
    expect(await entries(api.ours.id)).toHaveLength(length)
  })
})
