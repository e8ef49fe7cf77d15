import { beforeAll, describe, expect, it } from 'vitest'
import { setUpApiFixture } from '../../test/fixtures/api.ts'

const t = setUpApiFixture()
const { call, create } = t

/** Ids by title. */
const ids = new Map<string, string>()
let folderId: number

async function add(title: string, own: object = {}): Promise<void> {
  const { json } = await create({ title })
  const id = String(json.id)
  ids.set(title, id)
  await call('PATCH', `/v1/videos/${id}`, { body: own })
}

beforeAll(async () => {
  folderId = Number((await call('POST', '/v1/folders', { body: { name: 'Course' } })).json.id)
  await add('Opening night', {
    external_id: 'course/1',
    tags: ['Lab', 'autumn'],
    folder_id: folderId,
  })
  await add('Closing night', {
    tags: ['lab'],
    metadata: { course: '7', 'a b': 'c=d&e', 'x=y': 'z' },
  })
  await add('The night train', { tags: ['autumn'], metadata: { course: '7' }, folder_id: folderId })
  const em = t.db.em.fork()
  const set = (title: string, column: string, value: unknown) =>
    em.execute(`update video set ${column} = ? where id = ?`, [value, ids.get(title)])
  await set('Opening night', 'duration_ms', 61_000)
  await set('Closing night', 'duration_ms', 60_000)
  await set('Opening night', 'created_at', '2026-03-01T10:00:00.000001Z')
  await set('Closing night', 'created_at', '2026-03-01T10:00:00.001001Z')
  await set('The night train', 'status', 'failed')
})

interface Query {
  [name: string]: string | number | readonly string[]
}

async function list(query: Query, key = t.ours.key) {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? value : [value]) search.append(name, String(one))
  const response = await call('GET', `/v1/videos?${search.toString()}`, { key })
  const data = (response.json.data ?? []) as { id: string; title: string }[]
  return { ...response, titles: data.map(({ title }) => title) }
}

const [OPENING, CLOSING, TRAIN] = ['Opening night', 'Closing night', 'The night train']

describe('the filters of GET /v1/videos', () => {
  it.each<[Query, string[]]>([
    [{ external_id: 'course/1' }, [OPENING]],
    [{ external_id: 'course/2' }, []],
    [{ tag: 'LAB' }, [CLOSING, OPENING]],
    [{ tag: ['lab', 'Autumn'] }, [OPENING]],
    [{ tag: 'la' }, []],
    [{ 'metadata[course]': '7' }, [TRAIN, CLOSING]],
    [{ 'metadata[course]': '7', 'metadata[a b]': 'c=d&e' }, [CLOSING]],
    [{ 'metadata[course]': '8' }, []],
    [{ 'metadata[x]': 'y=z' }, []],
    [{ 'metadata[x=y]': 'z' }, [CLOSING]],
    [{ title: 'night' }, [TRAIN, CLOSING, OPENING]],
    [{ title: 'NIGHT the' }, [TRAIN]],
    [{ title: 'nigh' }, []],
    [{ title: '…' }, []],
    [{ status: 'failed' }, [TRAIN]],
    [{ status: 'failed', tag: 'lab' }, []],
    [{ folder_id: 'none' }, [CLOSING]],
    [{ folder_id: 'none', tag: 'lab', status: 'queued' }, [CLOSING]],
    [{ protection: 'clearkey', title: 'opening' }, [OPENING]],
    [{ protection: 'multi-drm' }, []],
    [{ 'created[lt]': '2026-03-01T10:00:00.001Z' }, [OPENING]],
    [{ 'created[lte]': '2026-03-01T10:00:00Z' }, [OPENING]],
    [
      { 'created[gt]': '2026-03-01T10:00:00Z', 'created[lte]': '2026-03-01T10:00:00.001Z' },
      [CLOSING],
    ],
    [{ 'created[gt]': '2026-03-02T00:00:00+02:00' }, [TRAIN]],
    [{ 'updated[gt]': '2100-01-01T00:00:00Z' }, []],
    [{ 'duration[gt]': 60 }, [OPENING]],
    [{ 'duration[gte]': 60, 'duration[lt]': 61 }, [CLOSING]],
  ])('%j', async (query, titles) => {
    expect((await list(query)).titles).toEqual(titles)
  })

  it('find those of a folder', async () => {
    expect((await list({ folder_id: folderId })).titles).toEqual([TRAIN, OPENING])
    expect((await list({ folder_id: folderId, status: 'queued' })).titles).toEqual([OPENING])
    expect((await list({ folder_id: folderId, tag: 'lab' })).titles).toEqual([OPENING])
  })

  it('find no video of another account', async () => {
    for (const query of [{ external_id: 'course/1' }, { tag: 'lab' }, { title: 'night' }])
      expect((await list(query, t.theirs.key)).titles).toEqual([])
  })

  it.each<[Query, number, string, string]>([
    [{ sort: 'size' }, 422, 'invalid_parameter', 'sort'],
    [{ tag: ['a', 'b', 'c', 'd', 'e', 'f'] }, 422, 'invalid_parameter', 'tag'],
    [{ tag: '' }, 422, 'invalid_parameter', 'tag.0'],
    [{ metadata: 'course' }, 422, 'invalid_parameter', 'metadata'],
    [{ 'metadata[]': 'course' }, 400, 'unknown_parameter', 'metadata[]'],
    [{ 'metadata[a][b]': 'c' }, 400, 'unknown_parameter', 'metadata[a][b]'],
    [{ 'metadata[__proto__]': 'c' }, 400, 'unknown_parameter', 'metadata[__proto__]'],
    [{ 'metadata[a]': ['b', 'c'] }, 422, 'invalid_parameter', 'metadata.a'],
    [{ title: ['a', 'b'] }, 422, 'invalid_parameter', 'title'],
    [{ 'created[gte]': 'yesterday' }, 422, 'invalid_parameter', 'created[gte]'],
    [{ 'created[eq]': '2026-03-01T10:00:00Z' }, 400, 'unknown_parameter', 'created[eq]'],
    [{ 'duration[gte]': '-1' }, 422, 'invalid_parameter', 'duration[gte]'],
    [{ folder_id: 'all' }, 422, 'invalid_parameter', 'folder_id'],
    [{ starting_after: 'x'.repeat(30) }, 422, 'invalid_parameter', 'starting_after'],
  ])('refuse %j', async (query, status, code, param) => {
    const response = await list(query)
    expect(response).toMatchObject({ status, code })
    expect(response.json.error?.param).toBe(param)
  })
})

describe('the order of GET /v1/videos', () => {
  it.each([
    ['-created', [TRAIN, CLOSING, OPENING]],
    ['created', [OPENING, CLOSING, TRAIN]],
    ['title', [CLOSING, OPENING, TRAIN]],
    ['-title', [TRAIN, OPENING, CLOSING]],
    ['updated', [OPENING, CLOSING, TRAIN]],
  ])(
    'is that of sort=%s, over pages of one by their cursors in both directions',
    async (sort, titles) => {
      const there: string[] = []
      let page = await list({ sort, limit: 1 })
      for (;;) {
        there.push(...page.titles)
        if (page.json.has_more !== true) break
        page = await list({ sort, limit: 1, starting_after: String(page.json.next_cursor) })
      }
      expect(there).toEqual(titles)
      const back = await list({ sort, ending_before: String(page.json.previous_cursor) })
      expect(back.titles).toEqual(titles.slice(0, -1))
    },
  )

  it('continues where it was when the video of its cursor has got another title, or is gone', async () => {
    const name = 'A first title'
    await add(name)
    const first = await list({ sort: 'title', limit: 1 })
    expect(first.titles).toEqual([name])
    const path = `/v1/videos/${ids.get(name)}`
    await call('PATCH', path, { body: { title: 'Zebras' } })
    const cursor = String(first.json.next_cursor)
    const next = async () => (await list({ sort: 'title', starting_after: cursor })).titles
    expect(await next()).toEqual([CLOSING, OPENING, TRAIN, 'Zebras'])
    await call('DELETE', path)
    expect(await next()).toEqual([CLOSING, OPENING, TRAIN])
  })

  it('by times or titles that change takes no id as its cursor, nor the cursor of another order', async () => {
    const id = String(ids.get(OPENING))
    const { json } = await list({ sort: 'updated' })
    for (const query of [
      { sort: 'title', starting_after: id },
      { sort: '-updated', ending_before: id },
      { sort: 'title', starting_after: String(json.next_cursor) },
    ])
      expect(await list(query)).toMatchObject({ status: 422, code: 'invalid_parameter' })
    expect((await list({ sort: 'created', starting_after: id })).titles).toEqual([CLOSING, TRAIN])
  })

  it('has no cursors without videos', async () => {
    expect((await list({ tag: 'none' })).json).toEqual({
      object: 'list',
      data: [],
      has_more: false,
      url: '/v1/videos',
      next_cursor: null,
      previous_cursor: null,
    })
  })
})
