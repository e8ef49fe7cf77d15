import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase, type Database } from '../../../db/database.ts'
import { putRendition } from '../../../db/videos/write-renditions.ts'
import { parseMasterKeys } from '../../../security/sealing/sealing.ts'
import { openDatabaseFixture, type DatabaseFixture } from '../../../test/fixtures/database.ts'
import { insertPublishedVideo, RUNG } from '../../../test/fixtures/published-video.ts'
import { createTestDatabase } from '../../../test/infrastructure/services.ts'
import { waitFor } from '../../../test/infrastructure/wait-for.ts'
import { createGrowingVideos } from '../growing/growing-videos.ts'
import { createSegmentFinder } from './segment-addresses.ts'

const KEYS = { masterKeys: parseMasterKeys('0'.repeat(64)), signingSecret: '1'.repeat(64) }
let fixture: DatabaseFixture
let videoId: string

beforeAll(async () => {
  fixture = await openDatabaseFixture()
  ;({ videoId } = await insertPublishedVideo(fixture.db, KEYS, { title: 'lesson' }))
})
afterAll(() => fixture.close())

const finderOf = (db: Database, keptMs?: number) =>
  createSegmentFinder(db, createGrowingVideos(db), keptMs)

describe('the place of a segment', () => {
  it('is that of older videos for a rendition without parts', async () => {
    const find = finderOf(fixture.db)
    const place = async (number: number) =>
      find({ videoId, rendition: '360p', token: null, number })
    expect(await place(0)).toEqual({ key: `videos/${videoId}/360p/init.mp4`, sizeBytes: 5 })
    expect(await place(2)).toEqual({ key: `videos/${videoId}/360p/2.m4s`, sizeBytes: 5 })
    expect(await place(3)).toMatchObject({ sizeBytes: null })
  })

  it('is found at once for a cached video, and shortly after publication for a new rendition', async () => {
    const find = finderOf(fixture.db)
    const of = (rendition: string) => find({ videoId, rendition, token: null, number: 1 })
    const first = of('360p')
    expect(first).toBeInstanceOf(Promise)
    await first
    expect(of('360p')).toMatchObject({ sizeBytes: 10 })
    expect(await of('720p')).toBeNull()
    const parts = [{ firstSegment: 1, token: '0a0a0a0a' }]
    await putRendition(fixture.em(), videoId, { ...RUNG, name: '720p', parts })
    await waitFor('the new rendition', async () => (await of('720p')) !== null)
    expect(of('720p')).toMatchObject({ key: `videos/${videoId}/720p/0a0a0a0a/1.m4s` })
  })

  it('stays known while the database is away, for videos that were read before', async () => {
    const database = await createTestDatabase()
    const db = await openDatabase({ url: database.url, poolSize: 1 })
    const { videoId: known } = await insertPublishedVideo(db, KEYS, { title: 'lesson' })
    const find = finderOf(db, 1)
    const of = (id: string) => find({ videoId: id, rendition: '360p', token: null, number: 1 })
    expect(await of(known)).toMatchObject({ sizeBytes: 10 })
    await database.drop()
    await waitFor('the entry to expire', async () => of(known) instanceof Promise)
    expect(await of(known)).toMatchObject({ sizeBytes: 10 })
    // The database is not asked again for each segment.
    expect(of(known)).not.toBeInstanceOf(Promise)
    await expect(async () => of('0'.repeat(20))).rejects.toThrow()
    await db.close(true)
  })
})
