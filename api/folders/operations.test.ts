import { describe, expect, it } from 'vitest'
import { FOLDERS_MAX } from '../../domain/limits.ts'
import { setUpApiFixture } from '../../test/fixtures/api.ts'

const t = setUpApiFixture()
const { call, create, makeAccount } = t

const make = (name: string = crypto.randomUUID(), key = t.ours.key) =>
  call('POST', '/v1/folders', { body: { name }, key })

describe('folders', () => {
  it('are created empty and returned', async () => {
    const { status, json } = await make('Autumn')
    expect(status).toBe(201)
    expect(json).toEqual({
      id: expect.any(Number),
      object: 'folder',
      name: 'Autumn',
      parent_id: null,
      video_count: 0,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    expect((await call('GET', `/v1/folders/${String(json.id)}`)).json).toEqual(json)
  })

  it('have names that are unique in their account, even for ten concurrent requests', async () => {
    const responses = await Promise.all(Array.from({ length: 10 }, () => make('Twice')))
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201,
      ...Array(9).fill(409),
    ])
    expect(responses.find(({ status }) => status === 409)?.code).toBe('folder_exists')
    expect((await make('Twice', t.theirs.key)).status).toBe(201)
  })

  it('count their videos', async () => {
    const { json } = await make()
    await create({ folder_id: json.id })
    const { json: video } = await create({ folder_id: json.id })
    const count = async () => (await call('GET', `/v1/folders/${String(json.id)}`)).json.video_count
    expect(await count()).toBe(2)
    await call('DELETE', `/v1/videos/${String(video.id)}`)
    expect(await count()).toBe(1)
  })

  it('are listed in pages, newest first', async () => {
    const { key } = await makeAccount()
    const ids: unknown[] = []
    for (let n = 0; n < 3; n += 1) ids.unshift((await make(undefined, key)).json.id)
    const list = async (query: string) =>
      (await call('GET', `/v1/folders?${query}`, { key })).json as {
        data: { id: number }[]
        has_more: boolean
      }
    const first = await list('limit=2')
    expect(first).toMatchObject({ data: [{ id: ids[0] }, { id: ids[1] }], has_more: true })
    expect(await list(`limit=2&starting_after=${String(ids[1])}`)).toMatchObject({
      data: [{ id: ids[2] }],
      has_more: false,
    })
  })

  it('are renamed, but not to a name that is used', async () => {
    const { json } = await make()
    const taken = await make()
    const path = `/v1/folders/${String(json.id)}`
    expect((await call('PATCH', path, { body: { name: 'Winter' } })).json.name).toBe('Winter')
    expect(await call('PATCH', path, { body: { name: taken.json.name } })).toMatchObject({
      status: 409,
      code: 'folder_exists',
    })
    expect((await call('PATCH', path, { body: { name: 'Winter' } })).status).toBe(200)
  })

  it('have one name for two that look alike: composed and without outer spaces', async () => {
    const { json } = await make(' Cafe\u0301 ')
    expect(json.name).toBe('Caf\u00e9')
    for (const name of ['Caf\u00e9', 'Cafe\u0301', 'Caf\u00e9\u00a0'])
      expect((await make(name)).code).toBe('folder_exists')
  })

  it('are deleted when they are empty', async () => {
    const { json } = await make()
    const path = `/v1/folders/${String(json.id)}`
    const { json: video } = await create({ folder_id: json.id })
    expect(await call('DELETE', path)).toMatchObject({ status: 409, code: 'folder_not_empty' })
    await call('DELETE', `/v1/videos/${String(video.id)}`)
    expect((await call('DELETE', path)).json).toEqual({
      id: json.id,
      object: 'folder',
      deleted: true,
    })
    expect((await call('GET', path)).code).toBe('folder_not_found')
    expect((await call('DELETE', path)).code).toBe('folder_not_found')
  })

  it('accept no video while they are being deleted', async () => {
    const { json } = await make()
    const responses = await Promise.all([
      ...Array.from({ length: 4 }, () => create({ folder_id: json.id })),
      call('DELETE', `/v1/folders/${String(json.id)}`),
    ])
    const deletion = responses.pop()
    const made = responses.filter(({ status }) => status === 202)
    expect(deletion?.status).toBe(made.length > 0 ? 409 : 200)
    for (const response of responses)
      expect([undefined, 'folder_not_found']).toContain(response.code)
  })

  it.each(['0', '-1', '1.5', '01', '9007199254740991', '99999999999999999999', 'x', '%20'])(
    'are not found by the id %s',
    async (id) => {
      expect(await call('GET', `/v1/folders/${id}`)).toMatchObject({
        status: 404,
        code: 'folder_not_found',
      })
    },
  )

  it("does not find another account's folder", async () => {
    const { json } = await make()
    const options = { key: t.theirs.key }
    const path = `/v1/folders/${String(json.id)}`
    expect((await call('GET', path, options)).code).toBe('folder_not_found')
    expect((await call('DELETE', path, options)).code).toBe('folder_not_found')
    expect((await call('PATCH', path, { ...options, body: { name: 'X' } })).code).toBe(
      'folder_not_found',
    )
  })

  it('are at most 1,000, even for two concurrent requests', async () => {
    const { id, key } = await makeAccount()
    await t.db.em
      .fork()
      .execute(
        `insert into folder (account_id, name) select ?, n::text from generate_series(1, ?) n`,
        [id, FOLDERS_MAX - 1],
      )
    const responses = await Promise.all([make(undefined, key), make(undefined, key)])
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 422])
    expect(responses.find(({ status }) => status === 422)?.code).toBe('too_many_folders')
  })
})
