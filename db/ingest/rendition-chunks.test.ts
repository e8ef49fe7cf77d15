import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ChunkFacts } from '../../domain/encoding/join-chunks.ts'
import { parseMasterKeys } from '../../security/sealing/sealing.ts'
import { openDatabaseFixture, type DatabaseFixture } from '../../test/fixtures/database.ts'
import { insertPublishedVideo, RUNG } from '../../test/fixtures/published-video.ts'
import { deleteRenditions } from '../videos/write-renditions.ts'
import { countChunks, findChunks, isChunkRecorded, sumChunkBytes } from './rendition-chunks.ts'
import { insertChunk } from './write-rendition-chunks.ts'

const masterKeys = parseMasterKeys('0'.repeat(64))
let fixture: DatabaseFixture
let videoId: string

beforeAll(async () => {
  fixture = await openDatabaseFixture()
  const keys = { masterKeys, signingSecret: '1'.repeat(64) }
  ;({ videoId } = await insertPublishedVideo(fixture.db, keys, { title: 'lesson' }))
})
afterAll(() => fixture.close())

const factsOf = (token: string, sizeBytes: number): ChunkFacts => ({
  token,
  firstSegment: 1,
  startTicks: 0,
  initHash: 'one',
  encoded: null,
  rendition: { ...RUNG, name: '720p', sizeBytes },
})
const id = (index: number, count = 2) => ({ videoId, name: '720p', count, index })
const tokens = async (count: number) =>
  (await findChunks(fixture.em(), { videoId, name: '720p', count })).map(({ token }) => token)

describe('a recorded chunk', () => {
  it('is that of the first attempt', async () => {
    const attempts = ['0a0a0a0a', '0b0b0b0b'].map((token) =>
      insertChunk(fixture.em(), id(0), factsOf(token, 10)),
    )
    expect((await Promise.all(attempts)).filter(Boolean)).toEqual([true])
    expect(await tokens(2)).toHaveLength(1)
    expect(await isChunkRecorded(fixture.em(), id(0))).toBe(true)
    expect(await isChunkRecorded(fixture.em(), id(1))).toBe(false)
  })

  it('of a plan that was given up is none of the new plan, but counts in the storage', async () => {
    const whole = { videoId, name: '720p', count: 1 }
    expect(await isChunkRecorded(fixture.em(), id(0, 1))).toBe(false)
    expect(await countChunks(fixture.em(), whole)).toBe(0)
    expect(await insertChunk(fixture.em(), id(0, 1), factsOf('0c0c0c0c', 25))).toBe(true)
    expect(await tokens(1)).toEqual(['0c0c0c0c'])
    expect(await countChunks(fixture.em(), { ...whole, count: 2 })).toBe(1)
    expect(await sumChunkBytes(fixture.em(), videoId)).toBe(35)
  })

  it('has a place in its plan', async () => {
    await expect(insertChunk(fixture.em(), id(2), factsOf('0d0d0d0d', 1))).rejects.toThrow('check')
  })

  it('counts as recorded once its rendition is published', async () => {
    const published = { videoId, name: RUNG.name, count: 2, index: 0 }
    expect(await isChunkRecorded(fixture.em(), published)).toBe(true)
  })

  it('is deleted with the renditions of its video', async () => {
    await deleteRenditions(fixture.em(), videoId)
    expect(await sumChunkBytes(fixture.em(), videoId)).toBe(0)
  })
})
