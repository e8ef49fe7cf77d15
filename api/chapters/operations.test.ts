import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { setUpApiFixture } from '../../test/fixtures/api.ts'

const t = setUpApiFixture()
const { call, create } = t

interface ChapterView {
  id: number
  index: number
  title: string
  start: number
  end: number
}

describe('chapters', () => {
  let videoId: string
  let path: string

  beforeEach(async () => {
    videoId = String((await create()).json.id)
    path = `/v1/videos/${videoId}/chapters`
  })

  const add = (start: number, end: number, title = 'Chapter') =>
    call('POST', path, { body: { title, start, end } })
  const list = async () => (await call('GET', path)).json.data as ChapterView[]

  it('are returned as the whole list by start, each with its index', async () => {
    await add(60, 90, 'Third')
    await add(0, 30, 'First')
    const { status, json } = await add(30, 60, 'Second')
    expect(status).toBe(201)
    expect(json).toMatchObject({ object: 'list', has_more: false, url: path })
    expect(json.data).toEqual(
      [
        { title: 'First', start: 0, end: 30 },
        { title: 'Second', start: 30, end: 60 },
        { title: 'Third', start: 60, end: 90 },
      ].map((chapter, index) => ({
        id: expect.any(Number),
        object: 'chapter',
        index,
        ...chapter,
      })),
    )
    expect(await list()).toEqual(json.data)
  })

  it.each([
    [10, 20],
    [12, 15],
    [5, 11],
    [19, 30],
    [0, 100],
  ])('refuse %i to %i beside 10 to 20', async (start, end) => {
    await add(10, 20)
    expect(await add(start, end)).toMatchObject({ status: 409, code: 'chapter_overlap' })
    expect(await list()).toHaveLength(1)
  })

  it('can touch', async () => {
    await add(10, 20)
    expect((await add(20, 30)).status).toBe(201)
    expect((await add(0, 10)).status).toBe(201)
  })

  it('never overlap, even for concurrent requests', async () => {
    const range = fc.tuple(fc.nat(40), fc.integer({ min: 1, max: 15 }))
    await fc.assert(
      fc.asyncProperty(fc.array(range, { minLength: 2, maxLength: 12 }), async (ranges) => {
        videoId = String((await create()).json.id)
        path = `/v1/videos/${videoId}/chapters`
        const responses = await Promise.all(
          ranges.map(([start, length]) => add(start, start + length)),
        )
        const chapters = await list()
        expect(chapters).toHaveLength(responses.filter(({ status }) => status === 201).length)
        for (const [index, chapter] of chapters.entries()) {
          expect(chapter.index).toBe(index)
          expect(chapter.start).toBeGreaterThanOrEqual(chapters[index - 1]?.end ?? 0)
        }
      }),
      { numRuns: 15 },
    )
  })

  it.each([
    [5, 5],
    [6, 5],
  ])('that end as they start or before (%i to %i) are refused', async (start, end) => {
    expect(await add(start, end)).toMatchObject({ status: 422, code: 'invalid_chapter_range' })
  })

  it('do not reach beyond the end of a video once that is known', async () => {
    await t.db.em.fork().execute('update video set duration_ms = 9300 where id = ?', [videoId])
    expect((await add(8, 11)).code).toBe('invalid_chapter_range')
    expect((await add(8, 10)).status).toBe(201)
  })

  it.each([
    [{ start: 0, end: 1 }, 'title'],
    [{ title: '', start: 0, end: 1 }, 'title'],
    [{ title: 'x'.repeat(256), start: 0, end: 1 }, 'title'],
    [{ title: 'a', start: -1, end: 1 }, 'start'],
    [{ title: 'a', start: 0.5, end: 1 }, 'start'],
    [{ title: 'a', start: '0', end: 1 }, 'start'],
    [{ title: 'a', start: 0 }, 'end'],
    [{ title: 'a', start: 0, end: 2 ** 31 }, 'end'],
    [{ title: 'a', start: 0, end: null }, 'end'],
  ])('refuse %j', async (body, param) => {
    const response = await call('POST', path, { body })
    expect(response).toMatchObject({ status: 422, code: 'invalid_parameter' })
    expect(response.json.error?.param).toBe(param)
  })

  it('are changed under the same rules', async () => {
    await add(0, 10, 'A')
    const [first, second] = (await add(10, 20, 'B')).json.data as ChapterView[]
    const one = `${path}/${first?.id}`
    const changed = await call('PATCH', one, { body: { title: 'Z', end: 8 } })
    expect(changed.json.data).toMatchObject([{ title: 'Z', start: 0, end: 8 }, { title: 'B' }])
    expect((await call('PATCH', one, { body: { end: 11 } })).code).toBe('chapter_overlap')
    expect((await call('PATCH', one, { body: { start: 9 } })).code).toBe('invalid_chapter_range')
    const moved = await call('PATCH', one, { body: { start: 30, end: 40 } })
    expect(moved.json.data).toMatchObject([
      { id: second?.id, index: 0 },
      { id: first?.id, index: 1 },
    ])
  })

  it('are deleted one by one', async () => {
    const [chapter] = (await add(0, 10)).json.data as ChapterView[]
    const one = `${path}/${chapter?.id}`
    expect((await call('DELETE', one)).json).toEqual({
      id: chapter?.id,
      object: 'chapter',
      deleted: true,
    })
    expect(await list()).toEqual([])
    expect((await call('DELETE', one)).code).toBe('chapter_not_found')
    expect((await call('PATCH', one, { body: {} })).code).toBe('chapter_not_found')
  })

  it('of one video are not found through another', async () => {
    const [chapter] = (await add(0, 10)).json.data as ChapterView[]
    const other = String((await create()).json.id)
    const response = await call('DELETE', `/v1/videos/${other}/chapters/${chapter?.id}`)
    expect(response.code).toBe('chapter_not_found')
    expect((await call('GET', path, { key: t.theirs.key })).code).toBe('video_not_found')
  })

  it('are at most 500 for each video, and counted on it', async () => {
    await t.db.em.fork().execute(
      `insert into chapter (video_id, title, start_seconds, end_seconds)
       select ?, 'x', n, n + 1 from generate_series(1, 500) n`,
      [videoId],
    )
    expect(await add(1000, 1001)).toMatchObject({ status: 422, code: 'too_many_chapters' })
    expect((await call('GET', `/v1/videos/${videoId}`)).json.chapter_count).toBe(500)
  })
})
