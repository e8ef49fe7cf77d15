import { describe, expect, it, onTestFinished } from 'vitest'
import { auditAllowance } from '../../../commands/audit.ts'
import { AUDIT_BYTES_PER_DAY, MOMENTS_MAX } from '../../../domain/limits.ts'
import { setUpOperationsFixture } from '../../../test/fixtures/operations.ts'
import { insertVideoFixture } from '../../../test/fixtures/video-rows.ts'
import { timelineOperations } from './timeline.ts'

const dashboard = setUpOperationsFixture(timelineOperations)

/** The states of the entries of a video, oldest first, and their bytes in the table. */
const entriesOf = (id: string) =>
  dashboard.execute<{ action: string; before: unknown; after: unknown; bytes: number }>(
    `select action, before, after, octet_length(before::text) + octet_length(after::text) as bytes
     from audit_entry where subject = ? order by id`,
    [id],
  )

interface Chapter {
  id: number
  title: string
  start: number
  end: number
}

interface Moment {
  id: number
  label: string
  timestamp: number
}

async function insert(durationMs = 60_000): Promise<string> {
  const id = await insertVideoFixture(dashboard.db, { accountId: dashboard.ours })
  await dashboard.execute('update video set duration_ms = ? where id = ?', [durationMs, id])
  return id
}

interface JsonResponse<Row> {
  data: Row[]
  error?: { param: string }
}

const saveChapters = (id: string, chapters: unknown[], deleted: number[] = [], options = {}) =>
  dashboard.call<JsonResponse<Chapter>>('PATCH', `/videos/${id}/chapters`, {
    body: { chapters, deleted_ids: deleted },
    ...options,
  })

const saveMoments = (id: string, moments: unknown[], deleted: number[] = []) =>
  dashboard.call<JsonResponse<Moment>>('PATCH', `/videos/${id}/moments`, {
    body: { moments, deleted_ids: deleted },
  })

const chapter = (id: number | null, title: string, start: number, end: number) => ({
  id,
  title,
  start,
  end,
})

const moment = (id: number | null, label: string, timestamp: number) => ({ id, label, timestamp })

describe('several chapters at once', () => {
  it('change places, keep their ids and leave the others as they are', async () => {
    const id = await insert()
    const first = [
      chapter(null, 'A', 0, 20),
      chapter(null, 'B', 20, 40),
      chapter(null, 'C', 40, 60),
    ]
    const [a, b, c] = (await saveChapters(id, first)).json.data.map((one) => one.id)
    if (!a || !b || !c) throw new Error('no chapters')
    const changed = [chapter(b, 'B', 0, 10), chapter(a, 'A', 10, 40), chapter(null, 'D', 55, 60)]
    const { json } = await saveChapters(id, changed, [c])
    expect(json.data.map(({ title, start, end }) => [title, start, end])).toEqual([
      ['B', 0, 10],
      ['A', 10, 40],
      ['D', 55, 60],
    ])
    expect(json.data.slice(0, 2).map((one) => one.id)).toEqual([b, a])
    const rows = await dashboard.execute<{ after: unknown }>(
      "select after from audit_entry where subject = ? and action = 'chapter.save' order by id",
      [id],
    )
    expect(rows).toHaveLength(2)
    // One that was deleted meanwhile is created again.
    expect((await saveChapters(id, [chapter(c, 'C', 40, 55)])).json.data).toHaveLength(4)
  })

  it.each([
    [
      'chapter_overlap',
      'chapters.1.start',
      [chapter(null, 'A', 30, 40), chapter(null, 'B', 39, 41)],
    ],
    ['chapter_overlap', 'chapters.0.start', [chapter(null, 'A', 5, 15)]],
    [
      'invalid_chapter_range',
      'chapters.1.end',
      [chapter(null, 'A', 30, 40), chapter(null, 'B', 50, 61)],
    ],
    ['invalid_parameter', 'chapters.0.title', [chapter(null, '', 30, 40)]],
    ['invalid_parameter', 'chapters', [chapter(1, 'A', 30, 40), chapter(1, 'B', 40, 50)]],
  ])('are refused together with %s at %s', async (code, param, chapters) => {
    const id = await insert()
    await saveChapters(id, [chapter(null, 'Kept', 0, 10)])
    const response = await saveChapters(id, chapters)
    expect(response.code).toBe(code)
    expect(response.json.error?.param).toBe(param)
    expect((await saveChapters(id, [])).json.data.map(({ title }) => title)).toEqual(['Kept'])
  })

  it('of another account, and those of a reader, are refused', async () => {
    const id = await insert()
    const foreign = await saveChapters(id, [], [], { accountId: dashboard.theirs })
    expect(foreign.code).toBe('video_not_found')
    expect((await saveChapters(id, [], [], { role: 'reader' })).code).toBe('insufficient_role')
  })

  it('never take the id of a chapter of another video', async () => {
    const [id, other] = [await insert(), await insert()]
    const [theirs] = (await saveChapters(other, [chapter(null, 'Theirs', 0, 10)])).json.data
    const mine = (
      await saveChapters(id, [chapter(theirs?.id ?? 0, 'Mine', 0, 10)], [theirs?.id ?? 0])
    ).json
    expect(mine.data[0]?.id).not.toBe(theirs?.id)
    expect((await saveChapters(other, [])).json.data).toEqual([theirs])
  })
})

describe('several moments at once', () => {
  it('change places and keep their ids', async () => {
    const id = await insert()
    const first = [moment(null, 'Goal', 5), moment(null, 'Foul', 9)]
    const [a, b] = (await saveMoments(id, first)).json.data.map((one) => one.id)
    if (!a || !b) throw new Error('no moments')
    const { json } = await saveMoments(id, [moment(a, 'Goal', 9), moment(b, 'Foul', 5)])
    expect(json.data.map((one) => [one.id, one.label, one.timestamp])).toEqual([
      [b, 'Foul', 5],
      [a, 'Goal', 9],
    ])
  })

  it('are refused together with the one that is wrong', async () => {
    const id = await insert()
    const twice = await saveMoments(id, [moment(null, 'A', 5), moment(null, 'B', 5)])
    expect(twice).toMatchObject({ status: 409, code: 'moment_exists' })
    expect(twice.json.error?.param).toBe('moments.1.timestamp')
    const late = await saveMoments(id, [moment(null, 'A', 61)])
    expect(late.json.error?.param).toBe('moments.0.timestamp')
    expect((await saveMoments(id, [])).json.data).toEqual([])
  })
})

describe('the audit log of a video', () => {
  it('has of a list of chapters those that were changed, added and removed', async () => {
    const id = await insert()
    const first = [chapter(null, 'A', 10, 20), chapter(null, 'B', 20, 40)]
    const [a, b] = (await saveChapters(id, first)).json.data.map((one) => one.id)
    if (!a || !b) throw new Error('no chapters')
    // The new first one moves the index of the one that stays.
    const saved = await saveChapters(id, [chapter(null, 'New', 0, 5)], [b])
    const added = saved.json.data.find(({ title }) => title === 'New')?.id
    await saveChapters(id, [chapter(a, 'A', 11, 20)])
    expect((await entriesOf(id)).slice(1)).toMatchObject([
      {
        action: 'chapter.save',
        before: { data: [chapter(b, 'B', 20, 40)] },
        after: { data: [chapter(added ?? null, 'New', 0, 5)] },
      },
      {
        action: 'chapter.save',
        before: { data: [chapter(a, 'A', 10, 20)] },
        after: { data: [chapter(a, 'A', 11, 20)] },
      },
    ])
  })

  it('has of a list of moments those that were changed, added and removed', async () => {
    const id = await insert()
    const first = [moment(null, 'A', 1), moment(null, 'B', 2), moment(null, 'C', 3)]
    const [a, b, c] = (await saveMoments(id, first)).json.data.map((one) => one.id)
    if (!a || !b || !c) throw new Error('no moments')
    const saved = await saveMoments(id, [moment(null, 'D', 4), moment(b, 'Better', 2)], [c])
    const added = saved.json.data.at(-1)?.id ?? null
    expect((await entriesOf(id)).at(-1)).toMatchObject({
      before: { data: [moment(b, 'B', 2), moment(c, 'C', 3)] },
      after: { data: [moment(b, 'Better', 2), moment(added, 'D', 4)] },
    })
  })

  it('keeps how many moments a save of 500 with long labels has changed, in few bytes', async () => {
    const id = await insert(600_000)
    const texts = (letter: string) =>
      Array.from({ length: MOMENTS_MAX }, (_, at) => moment(null, letter.repeat(255), at))
    const { json } = await saveMoments(id, texts('語'))
    const renamed = json.data.map((one) => moment(one.id, '説'.repeat(255), one.timestamp))
    expect((await saveMoments(id, renamed)).status).toBe(200)
    const shortened = { shortened: true, count: MOMENTS_MAX }
    const [first, second] = await entriesOf(id)
    expect(first).toMatchObject({
      action: 'moment.save',
      before: { data: [] },
      after: { data: shortened },
    })
    expect(second).toMatchObject({ before: { data: shortened }, after: { data: shortened } })
    for (const entry of [first, second]) expect(entry?.bytes).toBeLessThan(200)
  })

  it('keeps who, what and how many of a change beyond the bytes of a day, and all of a short one', async () => {
    const id = await insert(600_000)
    const useUpDay = () => {
      auditAllowance.forget(dashboard.ours)
      return auditAllowance.take(dashboard.ours, AUDIT_BYTES_PER_DAY, Date.now())
    }
    onTestFinished(() => auditAllowance.forget(dashboard.ours))
    // Of a size for which the allowance fills in a minute, and below the limit of one entry.
    const long = Array.from({ length: 200 }, (_, at) => moment(null, 'x'.repeat(255), at))
    const { json } = await saveMoments(id, long)
    expect(useUpDay()).toBe(0)
    const ids = json.data.map((one) => one.id)
    await saveMoments(id, [], ids)
    expect(useUpDay()).toBe(0)
    const label = 'Short'.repeat(30)
    const [short] = (await saveMoments(id, [moment(null, label, 1)])).json.data
    const shortened = { shortened: true, count: 200 }
    expect(await entriesOf(id)).toMatchObject([
      { after: { data: long.map(({ timestamp }) => ({ timestamp })) } },
      { action: 'moment.save', before: { data: shortened }, after: { data: [] } },
      { after: { data: [moment(Number(short?.id), label, 1)] } },
    ])
  })
})
