import { beforeEach, describe, expect, it } from 'vitest'
import { setUpApiFixture } from '../../test/fixtures/api.ts'

const t = setUpApiFixture()
const { call, create } = t

describe('PATCH /v1/videos/{id}', () => {
  let path: string
  let before: Record<string, unknown>

  beforeEach(async () => {
    before = (await create({ title: 'Before', description: 'Old' })).json
    path = `/v1/videos/${String(before.id)}`
  })

  it('changes only the sent fields', async () => {
    const { status, json } = await call('PATCH', path, { body: { title: 'After' } })
    expect(status).toBe(200)
    expect(json).toEqual({ ...before, title: 'After', updated_at: json.updated_at })
    expect(Date.parse(String(json.updated_at))).toBeGreaterThan(
      Date.parse(String(before.updated_at)),
    )
    expect((await call('PATCH', path, { body: {} })).json).toMatchObject({ title: 'After' })
    expect((await call('GET', path)).json).toMatchObject({ title: 'After', description: 'Old' })
  })

  it('moves a video into a folder and out of it', async () => {
    const folder = await call('POST', '/v1/folders', { body: { name: crypto.randomUUID() } })
    const folderId = folder.json.id
    expect((await call('PATCH', path, { body: { folder_id: folderId } })).json).toMatchObject({
      folder_id: folderId,
    })
    expect((await call('PATCH', path, { body: { folder_id: null } })).json).toMatchObject({
      folder_id: null,
    })
  })

  it('refuses a folder of another account with 400', async () => {
    const folder = await call('POST', '/v1/folders', { body: { name: 'T' }, key: t.theirs.key })
    const response = await call('PATCH', path, { body: { folder_id: folder.json.id, title: 'X' } })
    expect(response).toMatchObject({ status: 400, code: 'folder_not_found' })
    expect((await call('GET', path)).json.title).toBe('Before')
  })

  it.each([
    [{ title: '' }, 422, 'invalid_parameter'],
    [{ title: null }, 422, 'invalid_parameter'],
    [{ title: '𝕏'.repeat(256) }, 422, 'invalid_parameter'],
    [{ description: null }, 422, 'invalid_parameter'],
    [{ folder_id: 'x' }, 422, 'invalid_parameter'],
    [{ source_url: 'https://a.example/' }, 400, 'unknown_parameter'],
    [{ status: 'ready' }, 400, 'unknown_parameter'],
  ])('refuses %j', async (body, status, code) => {
    expect(await call('PATCH', path, { body })).toMatchObject({ status, code })
  })

  it('counts characters, not UTF-16 code units', async () => {
    const title = '𝕏'.repeat(255)
    expect((await call('PATCH', path, { body: { title } })).json.title).toBe(title)
  })

  it.each(['00000000000000000000', 'x', '0'])('does not find a video %s', async (id) => {
    const response = await call('PATCH', `/v1/videos/${id}`, { body: { title: 'X' } })
    expect(response).toMatchObject({ status: 404, code: 'video_not_found' })
  })

  it("does not find another account's video", async () => {
    const response = await call('PATCH', path, { body: { title: 'X' }, key: t.theirs.key })
    expect(response).toMatchObject({ status: 404, code: 'video_not_found' })
  })
})
