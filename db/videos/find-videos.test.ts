import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deleteVideos } from '../../commands/videos/many-videos.ts'
import type { Protection } from '../../domain/accounts/plan.ts'
import type { Metadata } from '../../domain/videos/own-data.ts'
import type { VideoStatus } from '../../domain/videos/video-state.ts'
import { insertSealedAccountFixture } from '../../test/fixtures/account.ts'
import { openDatabaseFixture, type DatabaseFixture } from '../../test/fixtures/database.ts'
import { insertVideoFixture } from '../../test/fixtures/video-rows.ts'
import { runs } from '../../test/infrastructure/every-case.ts'
import type { Video } from '../entities/video.ts'
import { findVideos, type VideoPageRequest } from './find-videos.ts'
import { FEW_MAX } from './matching-videos.ts'
import { countMatches, lockVideosThatMatch } from './video-matches.ts'
import { VIDEO_SORTS, type Range, type VideoQuery, type VideoSort } from './video-query.ts'
import { updateVideo } from './write-videos.ts'

let fixture: DatabaseFixture
beforeAll(async () => {
  fixture = await openDatabaseFixture()
})
afterAll(() => fixture.close())

/** What a test makes of a video; few values, so that filters meet. */
interface Facts {
  title: string
  status: VideoStatus
  protection: Protection
  folder: number | null
  tags: string[]
  metadata: Metadata
  /** In the last days: seconds before now. */
  createdAge: number
  updatedAge: number
  durationMs: number | null
}

const WORDS = ['Lesson', 'LESSON', 'éclair', 'Éclair', 'two-part', '数学', 'ÜBUNG', '7']

const facts: fc.Arbitrary<Facts> = fc.record({
  title: fc
    .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 })
    .map((words) => words.join(' ')),
  status: fc.constantFrom('queued', 'ready', 'failed'),
  protection: fc.constantFrom('clearkey', 'multi-drm'),
  folder: fc.constantFrom(null, 0, 1),
  tags: fc.uniqueArray(fc.constantFrom('lab', 'autumn', 'Ärzte'), { maxLength: 3 }),
  metadata: fc.dictionary(fc.constantFrom('a', 'a=b'), fc.constantFrom('b=c', 'c'), {
    maxKeys: 2,
  }),
  createdAge: fc.nat(5),
  updatedAge: fc.nat(5),
  durationMs: fc.constantFrom(null, 0, 1_000, 60_000),
})

interface Sought {
  status?: VideoStatus
  protection?: Protection
  folder?: number | null
  tags?: string[]
  metadata?: Metadata
  words?: string
  titlePart?: string
  created?: Range<number>
  updated?: Range<number>
  durationMs?: Range<number>
}

const bounds = fc.record(
  { gte: fc.nat(5), gt: fc.nat(5), lte: fc.nat(5), lt: fc.nat(5) },
  { requiredKeys: [] },
)

const sought: fc.Arbitrary<Sought> = fc.record(
  {
    status: fc.constantFrom<VideoStatus>('queued', 'ready', 'failed'),
    protection: fc.constantFrom<Protection>('clearkey', 'multi-drm'),
    folder: fc.constantFrom(null, 0, 1),
    tags: fc.uniqueArray(fc.constantFrom('LAB', 'autumn', 'ärzte'), { maxLength: 2 }),
    metadata: fc.dictionary(fc.constantFrom('a', 'a=b'), fc.constantFrom('b=c', 'c'), {
      maxKeys: 1,
    }),
    // The database of the tests makes only A to Z lower case.
    titlePart: fc.constantFrom('ESSON', 'es', 'two-P', 'clair', '7', '_', 'part 7'),
    words: fc.constantFrom('lesson', 'Éclair e\u0301clair', 'part two', '学', 'übung lesson', '…'),
    created: bounds,
    updated: bounds,
    durationMs: fc.record({ gte: fc.constantFrom(0, 1_000), lt: fc.constantFrom(1_000, 90_000) }),
  },
  { requiredKeys: [] },
)

/** A time so many seconds before the tests began, to the microsecond. */
const BASE_MS = Date.now() - 3_600_000
const at = (age: number): Date => new Date(BASE_MS - age * 1_000)

interface Installation {
  accountId: number
  folders: number[]
}

async function openAccount(): Promise<Installation> {
  const accountId = await insertSealedAccountFixture(fixture.db)
  const folders = await fixture.execute<{ id: number }>(
    `insert into folder (account_id, name) values (?, 'a'), (?, 'b') returning id`,
    [accountId, accountId],
  )
  return { accountId, folders: folders.map(({ id }) => Number(id)) }
}

async function insert({ accountId, folders }: Installation, one: Facts): Promise<string> {
  const { folder, createdAge, updatedAge, durationMs, ...given } = one
  const folderId = folder === null ? null : folders[folder]!
  const id = await insertVideoFixture(fixture.db, { accountId, folderId, ...given })
  await fixture.execute(
    `update video set created_at = ?, updated_at = ?, duration_ms = ? where id = ?`,
    [at(createdAge), at(updatedAge), durationMs, id],
  )
  return id
}

const toQuery = ({ accountId, folders }: Installation, wanted: Sought): VideoQuery => {
  const { folder, created, updated, ...rest } = wanted
  const times = (range: Range<number>): Range<Date> =>
    Object.fromEntries(Object.entries(range).map(([bound, age]) => [bound, at(Number(age))]))
  return {
    accountId,
    ...rest,
    ...(folder !== undefined && { folderId: folder === null ? null : folders[folder]! }),
    ...(created && { createdAt: times(created) }),
    ...(updated && { updatedAt: times(updated) }),
  }
}

/** The words of a text, as the contract of the filter says. */
const wordsOf = (text: string): string[] =>
  text
    .normalize('NFC')
    .toLowerCase()
    .match(/[\u2E80-\u9FFF]|[^\P{L}\u2E80-\u9FFF]+|\p{N}+/gu) ?? []

const isIn = (value: number | null, range: Range<number> = {}): boolean => {
  if (Object.values(range).every((bound) => bound === undefined)) return true
  if (value === null) return false
  const { gte = -Infinity, gt = -Infinity, lte = Infinity, lt = Infinity } = range
  return value >= gte && value > gt && value <= lte && value < lt
}

const secondsOf = (range: Range<number> = {}): Range<number> =>
  Object.fromEntries(Object.entries(range).map(([bound, age]) => [bound, -Number(age)]))

function matches(one: Facts, wanted: Sought): boolean {
  const tags = one.tags.map((tag) => tag.toLowerCase())
  const words = wanted.words === undefined ? [] : wordsOf(wanted.words)
  return (
    (wanted.status === undefined || one.status === wanted.status) &&
    (wanted.protection === undefined || one.protection === wanted.protection) &&
    (wanted.folder === undefined || one.folder === wanted.folder) &&
    (wanted.tags ?? []).every((tag) => tags.includes(tag.toLowerCase())) &&
    Object.entries(wanted.metadata ?? {}).every(([key, value]) => one.metadata[key] === value) &&
    (wanted.words === undefined || words.length > 0) &&
    words.every((word) => wordsOf(one.title).includes(word)) &&
    one.title.toLowerCase().includes(wanted.titlePart?.toLowerCase() ?? '') &&
    isIn(-one.createdAge, secondsOf(wanted.created)) &&
    isIn(-one.updatedAge, secondsOf(wanted.updated)) &&
    isIn(one.durationMs, wanted.durationMs)
  )
}

const lock = (query: VideoQuery): Promise<string[]> =>
  fixture.em().transactional((tx) => lockVideosThatMatch(tx, query, 100))

const SORTS = Object.keys(VIDEO_SORTS) as VideoSort[]

/** Reads a whole list page by page, from its beginning or from its end; `between` runs after each page. */
async function readAll(
  query: VideoQuery,
  request: Pick<VideoPageRequest, 'sort' | 'limit'> & { isBackwards?: boolean; fewMax?: number },
  between: () => Promise<void> = async () => {},
): Promise<Video[]> {
  const { isBackwards = false, fewMax, ...order } = request
  const videos: Video[] = []
  let page = await findVideos(fixture.em(), query, order, fewMax)
  if (isBackwards)
    page = await findVideos(
      fixture.em(),
      query,
      { ...order, before: { value: LAST[order.sort], id: '' } },
      fewMax,
    )
  for (;;) {
    const rows = page.rows.map(({ video }) => video)
    if (isBackwards) videos.unshift(...rows)
    else videos.push(...rows)
    if (!page.hasMore) return videos
    await between()
    const next = isBackwards ? { before: page.first! } : { after: page.last! }
    page = await findVideos(fixture.em(), query, { ...order, ...next }, fewMax)
  }
}

/** Places behind all videos. */
const LAST: Record<VideoSort, string> = {
  '-created': '0',
  created: '99999999999999999',
  '-updated': '0',
  updated: '99999999999999999',
  '-title': '',
  title: '\u{10FFFF}',
}

const sortKey = (sort: VideoSort, { createdAt, updatedAt, title }: Video): string => {
  if (sort.endsWith('created')) return createdAt.toISOString()
  return sort.endsWith('updated') ? updatedAt.toISOString() : title.toLowerCase()
}

function expectOrdered(videos: Video[], sort: VideoSort): void {
  const keys = videos.map((video) => Buffer.from(`${sortKey(sort, video)}\0${video.id}`))
  const sorted = keys.toSorted((a, b) => Buffer.compare(a, b))
  // The database of the tests makes only A to Z lower case.
  if (!sort.endsWith('title'))
    expect(keys).toEqual(sort.startsWith('-') ? sorted.toReversed() : sorted)
}

describe('the lists of videos', () => {
  it('have each video that matches on one page, in every order and in both directions', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(facts, { minLength: 1, maxLength: 12 }),
        fc.array(sought, { minLength: 4, maxLength: 4 }),
        fc.integer({ min: 1, max: 4 }),
        // What is few decides what is read: an index of a term or of a part of the title, or that of the order.
        fc.constantFrom(0, 1, 3, FEW_MAX),
        async (videos, searches, limit, fewMax) => {
          const account = await openAccount()
          const ids = new Map<string, Facts>()
          for (const one of videos) ids.set(await insert(account, one), one)
          for (const [index, wanted] of searches.entries()) {
            const sort = SORTS[(videos.length + index) % SORTS.length]!
            const query = toQuery(account, wanted)
            const expected = [...ids].filter(([, one]) => matches(one, wanted)).map(([id]) => id)
            const there = await readAll(query, { sort, limit, fewMax })
            expect(there.map(({ id }) => id).toSorted()).toEqual(expected.toSorted())
            expectOrdered(there, sort)
            const back = await readAll(query, { sort, limit, fewMax, isBackwards: true })
            expect(back.map(({ id }) => id)).toEqual(there.map(({ id }) => id))
            const { total } = await countMatches(fixture.em(), query)
            expect([expected.length, null]).toContain(total)
            expect((await lock(query)).toSorted()).toEqual(expected.toSorted())
          }
        },
      ),
      runs(15, 300),
    )
  })

  it('have each video that nothing changes once, while others are added, edited and deleted between the pages', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(facts, { minLength: 6, maxLength: 12 }),
        fc.array(facts, { minLength: 8, maxLength: 8 }),
        sought,
        fc.constantFrom(...SORTS),
        async (videos, changes, wanted, sort) => {
          const account = await openAccount()
          const ids = new Map<string, Facts>()
          for (const one of videos) ids.set(await insert(account, one), one)
          const [edited = '', removed = ''] = ids.keys()
          const pending = [...changes]
          const between = async () => {
            const change = pending.pop()
            if (!change) return
            await insert(account, change)
            const { title, tags, metadata } = change
            await updateVideo(fixture.em(), edited, { title, tags, metadata })
            await fixture.em().transactional((tx) => deleteVideos(tx, account.accountId, [removed]))
          }
          const read = await readAll(toQuery(account, wanted), { sort, limit: 1 }, between)
          const counts = (id: string) => read.filter((video) => video.id === id).length
          for (const [id, one] of ids)
            if (id !== edited && id !== removed)
              expect(counts(id)).toBe(matches(one, wanted) ? 1 : 0)
          expect(counts(removed)).toBeLessThanOrEqual(1)
        },
      ),
      runs(10, 200),
    )
  })

  it('have no video of another account, and no deleted one', async () => {
    const [ours, theirs] = [await openAccount(), await openAccount()]
    const [one, other] = fc.sample(facts, { numRuns: 2, seed: 1 })
    const id = await insert(ours, one!)
    await insert(theirs, other!)
    await insert(theirs, one!)
    const query = { accountId: ours.accountId, protection: one!.protection }
    const list = async () => (await readAll(query, { sort: '-created', limit: 5 })).map((v) => v.id)
    expect(await list()).toEqual([id])
    await fixture.em().transactional((tx) => deleteVideos(tx, ours.accountId, [id]))
    expect(await list()).toEqual([])
    const left = await fixture.execute('select from video_term where account_id = ?', [
      ours.accountId,
    ])
    expect(left).toEqual([])
  })
})
