import { beforeEach, describe, expect, it } from 'vitest'
import { METADATA_KEYS_MAX } from '../../domain/limits.ts'
import { setUpApiFixture } from '../../test/fixtures/api.ts'

const t = setUpApiFixture()
const { call, create } = t

let id: string
let path: string

beforeEach(async () => {
  id = String((await create()).json.id)
  path = `/v1/videos/${id}`
})

const change = async (body: object, on = path) => call('PATCH', on, { body })
const unique = (): string => `lesson-${crypto.randomUUID()}`

describe('metadata of a video', () => {
  const read = async () => (await call('GET', path)).json.metadata

  it('is empty at first; a change keeps the keys that it does not name, and null or empty text removes one', async () => {
    expect(await read()).toEqual({})
    await change({ metadata: { course: '7', teacher: 'Ada', room: 'B' } })
    const { json } = await change({ metadata: { course: '8', teacher: null, room: '' } })
    expect(json.metadata).toEqual({ course: '8' })
    await change({ metadata: {} })
    expect(await read()).toEqual({ course: '8' })
    expect((await change({ metadata: null })).json.metadata).toEqual({})
  })

  it('keeps both of two changes that meet', async () => {
    const names = Array.from({ length: 10 }, (_, at) => `key-${at}`)
    await Promise.all(names.map((name) => change({ metadata: { [name]: 'x' } })))
    expect(Object.keys((await read()) as object).toSorted()).toEqual(names.toSorted())
  })

  it('has at most 50 keys, also over several changes', async () => {
    const keys = (from: number, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`key-${from + at}`, 'x']))
    expect((await change({ metadata: keys(0, METADATA_KEYS_MAX) })).status).toBe(200)
    expect(await change({ metadata: keys(METADATA_KEYS_MAX, 1) })).toMatchObject({
      status: 422,
      code: 'too_much_metadata',
    })
    const swapped = { ...keys(METADATA_KEYS_MAX, 1), 'key-0': null }
    expect((await change({ metadata: swapped })).status).toBe(200)
  })

  it('takes keys of 40 and values of 500 characters, of any letters', async () => {
    const metadata = { ['𝕏'.repeat(40)]: '𝕏'.repeat(500), constructor: 'x', 'a.b c': 'ü' }
    expect((await change({ metadata })).json.metadata).toEqual(metadata)
  })

  it.each([
    [{ ['x'.repeat(41)]: 'x' }],
    [{ 'a[b]': 'x' }],
    [{ '': 'x' }],
    [{ 'a\0': 'x' }],
    [{ a: 'x'.repeat(501) }],
    [{ a: 7 }],
    [{ a: { b: 'x' } }],
    [['x']],
    ['x'],
  ])('refuses %j', async (metadata) => {
    expect(await change({ metadata })).toMatchObject({ status: 422, code: 'invalid_parameter' })
  })

  it('refuses the key __proto__', async () => {
    const body = '{"metadata":{"__proto__":"x"}}'
    const response = await call('PATCH', path, { raw: body })
    expect(response).toMatchObject({ status: 400, code: 'unknown_parameter' })
  })
})

/** Letters whose capital and small forms Node and ICU might pair otherwise. */
const PAIRS = [
  ['İ', 'i̇'],
  ['İ', 'i'],
  ['I', 'ı'],
  ['ΟΔΟΣ', 'οδος'],
  ['ΟΔΟΣ', 'οδοσ'],
  ['ẞ', 'ß'],
  ['K', 'k'],
  ['ǅ', 'ǆ'],
  ['Ꭰ', 'ꭰ'],
  ['\u{10D50}', '\u{10D70}'],
  ['\u{A7CB}', '\u{264}'],
  ['é', 'e\u0301'],
] as const

describe('tags of a video', () => {
  it.each(PAIRS)(
    '%s and %s are one tag exactly if a search for either finds the other',
    async (one, other) => {
      const { tags } = (await change({ tags: [one, other] })).json
      const isOne = (tags as string[]).length === 1
      for (const [kept, sought] of [
        [one, other],
        [other, one],
      ] as const) {
        await change({ tags: [kept] })
        const query = new URLSearchParams({ tag: sought, limit: '100' })
        const found = (await call('GET', `/v1/videos?${query.toString()}`)).json
        const ids = (found.data as { id: string }[]).map((video) => video.id)
        expect([kept, ids.includes(id)]).toEqual([kept, isOne])
      }
    },
  )

  it('are replaced as a whole, without repetitions', async () => {
    expect((await call('GET', path)).json.tags).toEqual([])
    expect((await change({ tags: [' Lab ', 'lab', 'autumn'] })).json.tags).toEqual([
      'Lab',
      'autumn',
    ])
    expect((await change({ title: 'X' })).json.tags).toEqual(['Lab', 'autumn'])
    expect((await change({ tags: [] })).json.tags).toEqual([])
  })

  it.each([
    [Array.from({ length: 21 }, (_, at) => String(at))],
    [['']],
    [[' ']],
    [['x'.repeat(65)]],
    [[7]],
    ['x'],
    [null],
  ])('refuses %j', async (tags) => {
    expect(await change({ tags })).toMatchObject({ status: 422, code: 'invalid_parameter' })
  })
})

describe('the external id of a video', () => {
  it('belongs to one video of the account; the refusal of another one names the first', async () => {
    const external_id = unique()
    expect((await change({ external_id })).json.external_id).toBe(external_id)
    expect((await change({ external_id })).status).toBe(200)
    const other = await create()
    const refused = await change({ external_id, title: 'X' }, `/v1/videos/${String(other.json.id)}`)
    expect(refused).toMatchObject({ status: 409, code: 'external_id_taken' })
    expect(refused.json.error).toMatchObject({ param: 'external_id', holder_id: id })
    expect((await call('GET', `/v1/videos/${String(other.json.id)}`)).json).toEqual(other.json)
  })

  it('is free again when it is removed, or its video deleted', async () => {
    const external_id = unique()
    const second = `/v1/videos/${String((await create()).json.id)}`
    const third = `/v1/videos/${String((await create()).json.id)}`
    await change({ external_id })
    await change({ external_id: null })
    expect((await change({ external_id }, second)).status).toBe(200)
    await call('DELETE', second)
    expect((await change({ external_id }, third)).status).toBe(200)
  })

  it('says nothing of those of another account', async () => {
    const external_id = unique()
    await change({ external_id })
    const body = { source_url: t.sourceUrl() }
    const theirs = await call('POST', '/v1/videos', { body, key: t.theirs.key })
    const response = await call('PATCH', `/v1/videos/${String(theirs.json.id)}`, {
      body: { external_id },
      key: t.theirs.key,
    })
    expect(response.status).toBe(200)
  })

  it('goes to one of several videos that get it at once', async () => {
    const external_id = unique()
    const paths = await Promise.all(
      Array.from({ length: 5 }, async () => `/v1/videos/${String((await create()).json.id)}`),
    )
    const responses = await Promise.all(paths.map((each) => change({ external_id }, each)))
    const count = (status: number) => responses.filter((one) => one.status === status).length
    expect([count(200), count(409)]).toEqual([1, 4])
  })

  it.each(['', 'x'.repeat(256), 7])('refuses %j', async (external_id) => {
    expect(await change({ external_id })).toMatchObject({ status: 422, code: 'invalid_parameter' })
  })
})

describe('what a client keeps with a video', () => {
  const own = () => ({ external_id: unique(), tags: ['lab'], metadata: { course: '7' } })

  it('changes the ETag of its video', async () => {
    const etag = (await call('GET', path)).headers.get('etag')
    const changed = await change(own())
    expect(changed.headers.get('etag')).not.toBe(etag)
    const stale = await call('PATCH', path, {
      body: { tags: [] },
      headers: { 'If-Match': etag ?? '' },
    })
    expect(stale.status).toBe(412)
  })

  it('is refused by POST /v1/videos, as the contract says', async () => {
    for (const [name, value] of Object.entries(own()))
      expect(await create({ [name]: value })).toMatchObject({
        status: 400,
        code: 'unknown_parameter',
      })
  })

  it('is given with an upload, whose video has it', async () => {
    const given = own()
    const body = { filename: 'lesson.mp4', size_bytes: 5, ...given }
    const { json, status } = await call('POST', '/v1/uploads', { body })
    expect(status).toBe(201)
    expect(json).toMatchObject(given)
    const taken = await call('POST', '/v1/uploads', { body })
    expect(taken).toMatchObject({ status: 409, code: 'external_id_taken' })
    expect(await change({ external_id: given.external_id })).toMatchObject({ status: 409 })
    const sent = await fetch(String(json.upload_url), { method: 'PUT', body: '12345' })
    expect(sent.ok).toBe(true)
    const { video_id: videoId } = (await call('GET', `/v1/uploads/${String(json.id)}`)).json
    expect((await call('GET', `/v1/videos/${String(videoId)}`)).json).toMatchObject(given)
    const refused = await change({ external_id: given.external_id })
    expect(refused.json.error).toMatchObject({ holder_id: videoId })
  })

  it('is free again when its upload is cancelled', async () => {
    const { external_id } = own()
    const body = { filename: 'lesson.mp4', size_bytes: 5, external_id }
    const { json } = await call('POST', '/v1/uploads', { body })
    await call('DELETE', `/v1/uploads/${String(json.id)}`)
    expect((await change({ external_id })).status).toBe(200)
  })
})
