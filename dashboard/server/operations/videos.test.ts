import { describe, expect, it } from 'vitest'
import { Folder } from '../../../db/entities/video.ts'
import type { VideoStatus } from '../../../domain/videos/video-state.ts'
import { insertSealedAccountFixture } from '../../../test/fixtures/account.ts'
import { setUpOperationsFixture } from '../../../test/fixtures/operations.ts'
import { insertVideoFixture } from '../../../test/fixtures/video-rows.ts'
import { videoOperations } from './videos.ts'

const dashboard = setUpOperationsFixture(videoOperations)

interface Video {
  id: string
  title: string
  status: VideoStatus
}

interface Searched {
  data: Video[]
  has_more: boolean
  next_cursor: string | null
  total: number | null
  counts: Record<VideoStatus, number> | null
}

/** Inserts videos with these titles into a new account, the last one newest; resolves to the account. */
async function accountWith(...titles: string[]): Promise<number> {
  const accountId = await insertSealedAccountFixture(dashboard.db)
  for (const title of titles) await insertVideoFixture(dashboard.db, { accountId, title })
  return accountId
}

/** Inserts videos `Lesson 1` to `Lesson <count>`, the first one newest; each tenth failed. Resolves to the account. */
async function accountWithMany(count: number): Promise<number> {
  const accountId = await insertSealedAccountFixture(dashboard.db)
  await dashboard.execute(
    `insert into video (id, account_id, title, status, source_url, protection, created_at)
     select substr(md5(?::text || '-' || n), 1, 20), ?, 'Lesson ' || n,
       case when n % 10 = 0 then 'failed' else 'ready' end, 'https://files.example/video.mp4',
       'clearkey', now() - n * interval '1 minute' from generate_series(1, ?) n`,
    [accountId, accountId, count],
  )
  return accountId
}

const search = (accountId: number, query: Record<string, string>) =>
  dashboard.call<Searched>('GET', `/videos?${new URLSearchParams(query).toString()}`, { accountId })

const titlesOf = async (accountId: number, q: string): Promise<string[]> =>
  (await search(accountId, { q })).json.data.map(({ title }) => title)

const insertFolder = (accountId: number, name = 'Autumn'): Promise<number> =>
  dashboard.db.em.fork().insert(Folder, { accountId, name })

const isDeleted = async (id: string): Promise<boolean> => {
  const [row] = await dashboard.execute<{ isGone: boolean }>(
    'select deleted_at is not null as "isGone" from video where id = ?',
    [id],
  )
  return row?.isGone === true
}

describe('the search of videos', () => {
  it('finds a part of the title in any case, newest first', async () => {
    const account = await accountWith('Opening night', 'The opening', 'Closing')
    expect(await titlesOf(account, 'OPEN')).toEqual(['The opening', 'Opening night'])
    expect(await titlesOf(account, 'g')).toEqual(['Closing', 'The opening', 'Opening night'])
  })

  it('takes the signs %, _ and \\ as they are', async () => {
    const account = await accountWith('100 % sure', '100 times', 'a_b', 'a\\b', 'axb')
    expect(await titlesOf(account, '0 %')).toEqual(['100 % sure'])
    expect(await titlesOf(account, 'a_b')).toEqual(['a_b'])
    expect(await titlesOf(account, 'a\\b')).toEqual(['a\\b'])
  })

  it('counts what matches by status, and in all', async () => {
    const account = await accountWith('Lesson 1', 'Lesson 2', 'Other')
    await insertVideoFixture(dashboard.db, {
      accountId: account,
      title: 'Lesson 3',
      status: 'ready',
    })
    const { json } = await search(account, { q: 'lesson', status: 'queued', limit: '1' })
    expect(json).toMatchObject({ has_more: true, total: 2 })
    expect(json.data.map(({ title }) => title)).toEqual(['Lesson 2'])
    expect(json.counts).toEqual({ queued: 2, processing: 0, playable: 0, ready: 1, failed: 0 })
    expect((await search(account, {})).json.total).toBe(4)
  })

  it('counts up to 1,000 videos with a part of a title, and all without one', async () => {
    const account = await accountWithMany(1001)
    expect((await search(account, { q: 'lesson' })).json).toMatchObject({
      total: null,
      counts: null,
      has_more: true,
    })
    const few = { q: 'lesson', status: 'failed' }
    expect((await search(account, few)).json).toMatchObject({ total: 100, counts: null })
    expect((await search(account, {})).json).toMatchObject({
      total: 1001,
      counts: { queued: 0, processing: 0, playable: 0, ready: 901, failed: 100 },
    })
    const { json } = await search(account, { q: '1000' })
    expect(json).toMatchObject({ total: 1, counts: { ready: 0, failed: 1 } })
  })

  it('seeks a part of one or two characters in the newest 10,000 videos, a longer one in all', async () => {
    const account = await accountWithMany(10_001)
    await dashboard.execute(
      `update video set title = case when title like '% 10001' then 'Zz outside' else 'Zz inside' end
       where account_id = ? and (title like '% 10001' or title like '% 10000')`,
      [account],
    )
    expect(await titlesOf(account, 'ZZ')).toEqual(['Zz inside'])
    expect((await search(account, { q: 'zz' })).json.total).toBe(1)
    expect(await titlesOf(account, 'zz ')).toEqual(['Zz inside', 'Zz outside'])
  }, 30_000)

  it('shows one folder, in pages', async () => {
    const account = await accountWith('No folder')
    const folderId = await insertFolder(account)
    for (const title of ['One', 'Two', 'Three'])
      await insertVideoFixture(dashboard.db, { accountId: account, title, folderId })
    const query = { folder_id: String(folderId), limit: '2' }
    const first = (await search(account, query)).json
    expect(first).toMatchObject({ has_more: true, total: 3 })
    const next = { ...query, starting_after: first.data[1]?.id ?? '' }
    const second = (await search(account, next)).json
    expect(second.data.map(({ title }) => title)).toEqual(['One'])
    expect(second).toMatchObject({ has_more: false, total: 3 })
  })

  it('shows the videos without a folder, and counts them', async () => {
    const account = await accountWith('Loose', 'Alone')
    const folderId = await insertFolder(account)
    await insertVideoFixture(dashboard.db, { accountId: account, title: 'Filed', folderId })
    const { json } = await search(account, { folder_id: 'none' })
    expect(json.data.map(({ title }) => title)).toEqual(['Alone', 'Loose'])
    expect(json).toMatchObject({ total: 2, counts: { queued: 2 } })
    expect((await search(account, { folder_id: 'none', q: 'loo' })).json.total).toBe(1)
    expect(await search(account, { folder_id: 'any' })).toMatchObject({ status: 422 })
  })

  it('finds by what the integrator keeps, with the part of a title', async () => {
    const account = await accountWith('Other')
    const own = { tags: ['Lab'], metadata: { course: '7' } }
    const insert = (title: string, more: object) =>
      insertVideoFixture(dashboard.db, { accountId: account, title, ...more })
    await insert('Lesson 1', { ...own, externalId: 'lesson-1' })
    await insert('Lesson 2', { ...own, protection: 'multi-drm' })
    await insert('Talk', own)
    const find = async (query: Record<string, string>) => {
      const { json } = await search(account, query)
      return [json.data.map(({ title }) => title), json.total]
    }
    const lessons = [['Lesson 2', 'Lesson 1'], 2]
    expect(await find({ tag: 'LAB', q: 'esson' })).toEqual(lessons)
    expect(await find({ tag: 'lab', q: 'le' })).toEqual(lessons)
    expect(await find({ 'metadata[course]': '7', q: 'esson', status: 'queued' })).toEqual(lessons)
    expect(await find({ tag: 'lab', protection: 'multi-drm' })).toEqual([['Lesson 2'], 1])
    expect(await find({ external_id: 'lesson-1' })).toEqual([['Lesson 1'], 1])
    expect(await find({ tag: 'lab', status: 'failed' })).toEqual([[], 0])
    const { json } = await search(account, { tag: 'lab', status: 'failed' })
    expect(json.counts).toMatchObject({ queued: 3, failed: 0 })
  })

  it('counts what is in a range, and up to 1,000 videos of it', async () => {
    const account = await accountWithMany(1001)
    const after = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
    const { json } = await search(account, { 'created[gte]': after(10.5) })
    expect(json).toMatchObject({ total: 10, counts: { failed: 1, ready: 9 } })
    const all = (await search(account, { 'created[gte]': after(5_000) })).json
    expect(all).toMatchObject({ total: null, counts: null, has_more: true })
    // No index has both, so a count could read all videos.
    const both = { 'created[gte]': after(10.5), 'updated[gte]': after(10.5) }
    expect((await search(account, both)).json).toMatchObject({ total: null, counts: null })
  })

  it('begins a page at a cursor or at the id of a video, in every order', async () => {
    const account = await accountWith('B', 'a', 'C', 'b')
    const list = async (query: Record<string, string>) =>
      (await search(account, { sort: 'title', limit: '2', ...query })).json
    const first = await list({})
    expect(first.data.map(({ title }) => title)).toEqual(['a', first.data[1]?.title])
    const second = await list({ starting_after: first.next_cursor ?? '' })
    expect(second.data.map(({ title }) => title)).toEqual([expect.stringMatching(/b/i), 'C'])
    expect(second.has_more).toBe(false)
    expect((await list({ starting_after: first.data[1]?.id ?? '' })).data).toEqual(second.data)
    expect((await list({ ending_before: second.data[0]?.id ?? '' })).data).toEqual(first.data)
    const wrong = await search(account, { starting_after: first.next_cursor ?? '' })
    expect(wrong).toMatchObject({ status: 422, code: 'invalid_parameter' })
  })

  it('shows no other account, and takes none of its videos as a cursor', async () => {
    const account = await accountWith('Ours')
    const other = await accountWith('Theirs')
    expect((await search(account, {})).json.data.map(({ title }) => title)).toEqual(['Ours'])
    const theirs = (await search(other, {})).json.data[0]?.id ?? ''
    const { status, code } = await search(account, { starting_after: theirs })
    expect({ status, code }).toEqual({ status: 422, code: 'invalid_parameter' })
  })
})

describe('where a video was embedded', () => {
  const insertSession = (videoId: string, host: string | null, daysAgo: number) =>
    dashboard.execute(
      `insert into playback_record (id, video_id, account_id, referer_host, signing_secret_version,
         started_at) values (?, ?, ?, ?, 1, now() - ? * interval '1 day')`,
      [crypto.randomUUID(), videoId, dashboard.ours, host, daysAgo],
    )

  it('counts the playback sessions of the last seven days by host, but for the dashboard', async () => {
    const id = await insertVideoFixture(dashboard.db, { accountId: dashboard.ours })
    for (const host of ['b.example', 'a.example', 'b.example', null])
      await insertSession(id, host, 6)
    await insertSession(id, 'old.example', 8)
    await insertSession(id, 'dashboard.example', 1)
    const { json } = await dashboard.call('GET', `/videos/${id}/where-embedded`)
    expect(json).toEqual({
      id,
      object: 'embedding_hosts',
      days: 7,
      plays: 4,
      hosts: [
        { host: 'b.example', plays: 2 },
        { host: 'a.example', plays: 1 },
        { host: null, plays: 1 },
      ],
    })
  })

  it('is empty for a video that was not played, and 404 for one of another account', async () => {
    const id = await insertVideoFixture(dashboard.db, { accountId: dashboard.ours })
    const path = `/videos/${id}/where-embedded`
    expect((await dashboard.call('GET', path)).json).toMatchObject({ plays: 0, hosts: [] })
    const foreign = await dashboard.call('GET', path, { accountId: dashboard.theirs })
    expect(foreign).toMatchObject({ status: 404, code: 'video_not_found' })
  })
})

const countRows = async (table: 'event' | 'outbox', id: string): Promise<number> => {
  const condition = table === 'event' ? 'body like ?' : 'subject_id like ?'
  const [row] = await dashboard.execute<{ count: number }>(
    `select count(*)::int as count from ${table} where ${condition}`,
    [`%${id}%`],
  )
  return row?.count ?? 0
}

const entriesOf = (id: string): Promise<Record<string, unknown>[]> =>
  dashboard.execute(
    'select action, subject, before, after from audit_entry where subject = ? order by id',
    [id],
  )

const lastEntry = async (): Promise<Record<string, unknown> | undefined> => {
  const [row] = await dashboard.execute<Record<string, unknown>>(
    'select action, subject, before, after from audit_entry order by id desc limit 1',
  )
  return row
}

describe('the deletion of a video', () => {
  it('sends no event, requests the removal of its objects and is in the audit log', async () => {
    const id = await insertVideoFixture(dashboard.db, { accountId: dashboard.ours, title: 'Gone' })
    const { json } = await dashboard.call('DELETE', `/videos/${id}`)
    expect(json).toEqual({ id, object: 'video', deleted: true })
    expect(await isDeleted(id)).toBe(true)
    expect(await countRows('event', id)).toBe(0)
    expect(await countRows('outbox', id)).toBe(1)
    expect(await lastEntry()).toMatchObject({
      action: 'video.delete',
      subject: id,
      before: { title: 'Gone' },
      after: null,
    })
  })

  it('is refused for a video of another account', async () => {
    const id = await insertVideoFixture(dashboard.db, { accountId: dashboard.theirs })
    expect(await dashboard.call('DELETE', `/videos/${id}`)).toMatchObject({ status: 404 })
    expect(await isDeleted(id)).toBe(false)
  })
})

describe('the deletion of many videos', () => {
  const remove = (body: unknown, options: { accountId?: number; isElevated?: boolean } = {}) =>
    dashboard.call('POST', '/videos/delete', { body, ...options })
  const insert = (title = 'One of many') =>
    insertVideoFixture(dashboard.db, { accountId: dashboard.ours, title })

  it('by their ids deletes them without events, also if one is deleted already', async () => {
    const [first, second] = [await insert('First'), await insert('Second')]
    await remove({ ids: [second] })
    const { json } = await remove({ ids: [first, second] })
    const videos = [{ id: first, title: 'First' }]
    expect(json).toEqual({ object: 'deleted_videos', count: 1, videos })
    expect(await isDeleted(first)).toBe(true)
    expect(await countRows('event', first)).toBe(0)
    expect(await countRows('outbox', second)).toBe(1)
    expect(await lastEntry()).toMatchObject({
      action: 'video.delete_many',
      after: { count: 1, videos },
    })
  })

  it('deletes none if one is of another account', async () => {
    const ours = await insert()
    const theirs = await insertVideoFixture(dashboard.db, { accountId: dashboard.theirs })
    expect(await remove({ ids: [ours, theirs] })).toMatchObject({ code: 'video_not_found' })
    expect([await isDeleted(ours), await isDeleted(theirs)]).toEqual([false, false])
  })

  it('by a filter deletes what matches if its count is as expected', async () => {
    const account = await accountWith('Draft 1', 'Draft 2', 'Final')
    const filter = { q: 'draft' }
    const wrong = await remove({ filter, expected_count: 1 }, { accountId: account })
    expect(wrong).toMatchObject({ status: 409, code: 'selection_changed' })
    const more = await remove({ filter, expected_count: 3 }, { accountId: account })
    expect(more).toMatchObject({ status: 409, code: 'selection_changed' })
    expect((await search(account, {})).json.total).toBe(3)
    const right = await remove({ filter, expected_count: 2 }, { accountId: account })
    expect(right.json).toMatchObject({ count: 2 })
    expect((await search(account, {})).json.data.map(({ title }) => title)).toEqual(['Final'])
  })

  it('by all parts of a filter deletes only what has them', async () => {
    const account = await accountWith('No tag')
    const add = (title: string, more: object) =>
      insertVideoFixture(dashboard.db, { accountId: account, title, ...more })
    await add('Gone', { tags: ['Lab'], metadata: { course: '7' } })
    await add('Other course', { tags: ['Lab'], metadata: { course: '8' } })
    await add('Other protection', {
      tags: ['Lab'],
      metadata: { course: '7' },
      protection: 'multi-drm',
    })
    const filter = {
      tags: ['lab'],
      metadata: { course: '7' },
      protection: 'clearkey',
      created: { gte: '2020-01-01T00:00:00Z', lt: '9000-01-01T00:00:00Z' },
    }
    const never = { ...filter, created: { lt: '2020-01-01T00:00:00Z' } }
    const refused = await remove({ filter: never, expected_count: 1 }, { accountId: account })
    expect(refused.code).toBe('selection_changed')
    const { json } = await remove({ filter, expected_count: 1 }, { accountId: account })
    expect(json).toMatchObject({ count: 1, videos: [{ title: 'Gone' }] })
    expect((await search(account, {})).json.total).toBe(3)
  })

  it('by a filter deletes the videos without a folder, and no other', async () => {
    const account = await accountWith('Loose')
    const folderId = await insertFolder(account)
    await insertVideoFixture(dashboard.db, { accountId: account, title: 'Filed', folderId })
    const body = { filter: { folder_id: null }, expected_count: 1 }
    expect((await remove(body, { accountId: account })).json).toMatchObject({ count: 1 })
    expect((await search(account, {})).json.data.map(({ title }) => title)).toEqual(['Filed'])
  })

  it('requires fresh authentication', async () => {
    const id = await insert()
    const response = await remove({ ids: [id] }, { isElevated: false })
    expect(response).toMatchObject({ status: 403, code: 'reauthentication_required' })
    expect(await isDeleted(id)).toBe(false)
  })

  it.each([
    ['nothing', {}],
    ['no ids', { ids: [] }],
    ['ids and a filter', { ids: ['0'.repeat(20)], filter: {}, expected_count: 1 }],
    ['a filter without a count', { filter: {} }],
    ['ids with a count', { ids: ['0'.repeat(20)], expected_count: 1 }],
    ['more ids than allowed', { ids: Array.from({ length: 101 }, () => '0'.repeat(20)) }],
  ])('refuses %s', async (_what, body) => {
    expect(await remove(body)).toMatchObject({ status: 422, code: 'invalid_parameter' })
  })
})

describe('the move of many videos', () => {
  const move = (ids: string[], folderId: number | null) =>
    dashboard.call('POST', '/videos/move', { body: { ids, folder_id: folderId } })
  const folderOf = async (id: string): Promise<number | null> => {
    const rows = await dashboard.execute<{ folderId: number | null }>(
      'select folder_id as "folderId" from video where id = ?',
      [id],
    )
    return rows[0]?.folderId ?? null
  }
  const insert = () => insertVideoFixture(dashboard.db, { accountId: dashboard.ours })

  it('puts them into a folder, and out of it', async () => {
    const folderId = await insertFolder(dashboard.ours, 'Moved')
    const ids = [await insert(), await insert()]
    expect((await move(ids, folderId)).json).toEqual({
      object: 'moved_videos',
      folder_id: folderId,
      ids,
    })
    expect(await Promise.all(ids.map(folderOf))).toEqual([folderId, folderId])
    const moved = {
      action: 'video.update',
      before: { folder_id: null },
      after: { folder_id: folderId },
    }
    for (const id of ids) expect(await entriesOf(id)).toEqual([{ subject: id, ...moved }])
    await move(ids, null)
    expect(await Promise.all(ids.map(folderOf))).toEqual([null, null])
  })

  it('moves none if one is of another account, or the folder is', async () => {
    const folderId = await insertFolder(dashboard.ours, 'Ours')
    const ours = await insert()
    const theirs = await insertVideoFixture(dashboard.db, { accountId: dashboard.theirs })
    expect(await move([ours, theirs], folderId)).toMatchObject({ code: 'video_not_found' })
    const foreign = await insertFolder(dashboard.theirs, 'Theirs')
    expect(await move([ours], foreign)).toMatchObject({ code: 'folder_not_found' })
    expect([await folderOf(ours), await folderOf(theirs)]).toEqual([null, null])
  })
})

describe('the tags of many videos', () => {
  const change = (ids: string[], tags: { add?: string[]; remove?: string[] }, options = {}) =>
    dashboard.call<{ ids: string[]; full: { id: string; title: string }[] }>(
      'POST',
      '/videos/tags',
      { body: { ids, ...tags }, ...options },
    )
  const tagsOf = async (id: string): Promise<string[]> => {
    const rows = await dashboard.execute<{ tags: string[] }>(
      'select tags from video where id = ?',
      [id],
    )
    return rows[0]?.tags ?? []
  }
  const insert = (...tags: string[]) =>
    insertVideoFixture(dashboard.db, { accountId: dashboard.ours, title: 'Tagged', tags })

  it('are added and removed in any case, each change with its entry in the audit log', async () => {
    const [one, two] = [await insert('Lab'), await insert()]
    const { json } = await change([one, two], { add: [' Autumn ', 'autumn'], remove: ['LAB'] })
    expect(json).toEqual({ object: 'tagged_videos', ids: [one, two].toSorted(), full: [] })
    expect([await tagsOf(one), await tagsOf(two)]).toEqual([['Autumn'], ['Autumn']])
    expect(await entriesOf(one)).toEqual([
      {
        action: 'video.update',
        subject: one,
        before: { tags: ['Lab'] },
        after: { tags: ['Autumn'] },
      },
    ])
  })

  it('change nothing and leave no entry the second time', async () => {
    const id = await insert()
    await change([id], { add: ['lab'] })
    const read = () => dashboard.execute('select updated_at, version from video where id = ?', [id])
    const before = await read()
    expect((await change([id], { add: ['LAB'] })).json).toMatchObject({ ids: [], full: [] })
    expect(await read()).toEqual(before)
    expect(await entriesOf(id)).toHaveLength(1)
  })

  it('leave a video as it is that would have more than 20, and name it', async () => {
    const many = Array.from({ length: 20 }, (_, index) => `tag ${index}`)
    const [full, free] = [await insert(...many), await insert()]
    const { json } = await change([full, free], { add: ['one more'] })
    expect(json).toMatchObject({ ids: [free], full: [{ id: full, title: 'Tagged' }] })
    expect([await tagsOf(full), await tagsOf(free)]).toEqual([many, ['one more']])
    expect(await entriesOf(full)).toEqual([])
    const swap = await change([full], { add: ['one more'], remove: ['TAG 0'] })
    expect(swap.json).toMatchObject({ ids: [full], full: [] })
  })

  it('change for none if one is of another account', async () => {
    const ours = await insert()
    const theirs = await insertVideoFixture(dashboard.db, { accountId: dashboard.theirs })
    expect(await change([ours, theirs], { add: ['x'] })).toMatchObject({ code: 'video_not_found' })
    expect([await tagsOf(ours), await tagsOf(theirs)]).toEqual([[], []])
  })

  it('are all there when two members add some at the same time', async () => {
    const id = await insert()
    const other = await insert()
    const both = ['a', 'b', 'c', 'd', 'e', 'f']
    await Promise.all(both.map((add) => change([id, other], { add: [add] })))
    expect((await tagsOf(id)).toSorted()).toEqual(both)
    expect((await tagsOf(other)).toSorted()).toEqual(both)
  })

  it.each([
    ['no change', {}],
    ['empty lists', { add: [], remove: [] }],
    ['more tags than a video has', { add: Array.from({ length: 21 }, (_, index) => `t${index}`) }],
    ['a tag that is too long', { add: ['x'.repeat(65)] }],
  ])('refuse %s', async (_what, tags) => {
    expect(await change([await insert()], tags)).toMatchObject({ status: 422 })
  })
})

describe('a reader', () => {
  it('may search, but neither delete nor move nor tag', async () => {
    const id = await insertVideoFixture(dashboard.db, { accountId: dashboard.ours })
    const role = 'reader'
    expect(await dashboard.call('GET', '/videos', { role })).toMatchObject({ status: 200 })
    const refused = { status: 403, code: 'insufficient_role' }
    expect(await dashboard.call('DELETE', `/videos/${id}`, { role })).toMatchObject(refused)
    const body = { ids: [id] }
    for (const path of ['/videos/delete', '/videos/move', '/videos/tags'])
      expect(await dashboard.call('POST', path, { role, body })).toMatchObject(refused)
  })
})
