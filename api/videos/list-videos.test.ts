import { beforeAll, describe, expect, it } from 'vitest'
import { setUpApiFixture } from '../../test/fixtures/api.ts'

const t = setUpApiFixture()
const { call, create } = t

describe('GET /v1/videos', () => {
  /** Newest first. */
  const ids: string[] = []
  let folderId: number

  beforeAll(async () => {
    const folder = await call('POST', '/v1/folders', { body: { name: 'Autumn' } })
    folderId = Number(folder.json.id)
    for (let n = 0; n < 7; n += 1) {
      const { json } = await create(n % 2 === 0 ? { folder_id: folderId } : {})
      ids.unshift(String(json.id))
    }
    const em = t.db.em.fork()
    await em.execute(`update video set status = 'failed' where id = ?`, [ids[3]])
    // Created at the same instant, as by an import: the id decides the order.
    await em.execute(`update video set created_at = now() where id in (?, ?)`, [ids[5], ids[6]])
  })

  const list = async (query: string, key = t.ours.key) => {
    const response = await call('GET', `/v1/videos${query}`, { key })
    const data = (response.json.data ?? []) as { id: string }[]
    return { ...response, ids: data.map(({ id }) => id), hasMore: response.json.has_more }
  }
  const all = async () => (await list('?limit=100')).ids

  it('lists only the videos of the account, newest first, ten by default', async () => {
    const { ids: listed, json } = await list('')
    expect(listed).toHaveLength(7)
    expect(listed.slice(2)).toEqual(ids.slice(0, 5))
    expect(new Set(listed)).toEqual(new Set(ids))
    expect(json).toMatchObject({ object: 'list', has_more: false, url: '/v1/videos' })
    expect((await list('', t.theirs.key)).ids).toEqual([])
  })

  it.each([1, 2, 3, 7])('returns all of them in pages of %i, in both directions', async (limit) => {
    const expected = await all()
    const there: string[] = []
    for (let cursor = '', more = true; more;) {
      const page = await list(`?limit=${limit}${cursor && `&starting_after=${cursor}`}`)
      there.push(...page.ids)
      cursor = there.at(-1) ?? ''
      more = page.hasMore === true
    }
    expect(there).toEqual(expected)
    const back = [there.at(-1) ?? '']
    for (let more = true; more;) {
      const page = await list(`?limit=${limit}&ending_before=${back[0]}`)
      back.unshift(...page.ids)
      more = page.hasMore === true
    }
    expect(back).toEqual(expected)
  })

  it('continues after a video that has been deleted since', async () => {
    const [first, second, third] = await all()
    await call('DELETE', `/v1/videos/${second}`)
    expect((await list('?limit=1')).ids).toEqual([first])
    expect((await list(`?limit=1&starting_after=${second}`)).ids).toEqual([third])
  })

  it('filters by status and by folder', async () => {
    expect((await list('?status=failed')).ids).toEqual([ids[3]])
    const inFolder = (await list(`?folder_id=${folderId}&limit=100`)).json.data
    expect(inFolder).toEqual(
      (inFolder as object[]).map(() => expect.objectContaining({ folder_id: folderId })),
    )
    expect((await list('?folder_id=2147483647')).ids).toEqual([])
  })

  it.each([
    ['limit=0', 422, 'invalid_parameter', 'limit'],
    ['limit=101', 422, 'invalid_parameter', 'limit'],
    ['limit=1.5', 422, 'invalid_parameter', 'limit'],
    ['limit=', 422, 'invalid_parameter', 'limit'],
    ['limit=1&limit=2', 422, 'invalid_parameter', 'limit'],
    ['status=done', 422, 'invalid_parameter', 'status'],
    ['folder_id=x', 422, 'invalid_parameter', 'folder_id'],
    ['starting_after=x', 422, 'invalid_parameter', 'starting_after'],
    ['starting_after=00000000000000000000', 422, 'invalid_parameter', 'starting_after'],
    ['color=red', 400, 'unknown_parameter', 'color'],
    ['limit[]=1', 400, 'unknown_parameter', 'limit[]'],
    ['__proto__=1', 400, 'unknown_parameter', '__proto__'],
  ])('refuses ?%s', async (query, status, code, param) => {
    const response = await list(`?${query}`)
    expect(response).toMatchObject({ status, code })
    expect(response.json.error?.param).toBe(param)
  })

  it('refuses both cursors together', async () => {
    const response = await list(`?starting_after=${ids[0]}&ending_before=${ids[1]}`)
    expect(response).toMatchObject({ status: 422, code: 'invalid_parameter' })
  })

  it("refuses another account's video as a cursor", async () => {
    const response = await list(`?starting_after=${ids[0]}`, t.theirs.key)
    expect(response).toMatchObject({ status: 422, code: 'invalid_parameter' })
  })
})
