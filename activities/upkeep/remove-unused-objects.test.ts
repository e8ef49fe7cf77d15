import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { transitionVideo } from '../../commands/videos/transition-video.ts'
import { putRendition } from '../../db/videos/write-renditions.ts'
import {
  mediaPrefix,
  partPrefix,
  posterKey,
  sourceKey,
  tileKey,
  tilesPrefix,
} from '../../domain/videos/media-paths.ts'
import {
  FIRST_POSITION,
  type ObjectsPage,
  type ObjectsPosition,
} from '../../domain/videos/unused-objects.ts'
import { removedObjects } from '../../metrics/ingest.ts'
import type { ObjectStorage } from '../../storage/object-storage.ts'
import { openIngestFixture, runActivity, type IngestFixture } from '../../test/fixtures/ingest.ts'
import { RUNG } from '../../test/fixtures/published-video.ts'
import { withDeps } from '../deps.ts'
import { removeUnusedObjects } from './remove-unused-objects.ts'

const UNKNOWN = 'ffffffffffffffffffff'
const HOUR_MS = 3_600_000
let fixture: IngestFixture

beforeAll(async () => {
  fixture = await openIngestFixture()
})
afterAll(() => fixture.close())

beforeEach(async () => {
  for (const root of ['videos/', 'sources/']) await fixture.deps.storage.deletePrefix(root)
})

/** Stores an object of this age; resolves to its key. */
async function store(key: string, ageHours = 25): Promise<string> {
  await fixture.deps.storage.putBuffer(key, Buffer.from('x'), 'video/mp4')
  const time = new Date(Date.now() - ageHours * HOUR_MS)
  await utimes(join(fixture.folder, 'objects', key), time, time)
  return key
}

const publish = (videoId: string, token: string) =>
  putRendition(fixture.deps.db.em.fork(), videoId, {
    ...RUNG,
    parts: [{ firstSegment: 1, token }],
  })

/** Adds a ready video with one published part; resolves to its id. */
async function addReady(): Promise<string> {
  const { videoId } = await fixture.addVideo({ status: 'ready' })
  await publish(videoId, '0a0a0a0a')
  await store(`${partPrefix(videoId, '360p', '0a0a0a0a')}1.m4s`)
  return videoId
}

/** Runs all steps, and returns what they removed and how many there were. */
async function reconcile(storage: Partial<ObjectStorage> = {}, objectPageFolders = 200) {
  const deps = { ...fixture.deps, storage: { ...fixture.deps.storage, ...storage } }
  const step = withDeps({ ...deps, objectPageFolders }, removeUnusedObjects)
  let position: ObjectsPosition | null = FIRST_POSITION
  let [count, steps] = [0, 0]
  for (; position; steps += 1) {
    const page: ObjectsPage = await runActivity(step, position)
    count += page.removed
    position = page.next
  }
  return { count, steps }
}

describe('the comparison of objects with videos', () => {
  it('removes what no video needs, and counts it', async () => {
    const ready = await addReady()
    const kept = await fixture.objects()
    await store(`${partPrefix(ready, '360p', '0c0c0c0c')}1.m4s`)
    await store(tileKey(ready, 1))
    await store(sourceKey(ready))
    const failed = await fixture.addVideo({ status: 'failed' })
    await store(posterKey(failed.videoId))
    const deleted = await fixture.addVideo({ status: 'ready' })
    await fixture.deps.db.em
      .fork()
      .execute('update video set deleted_at = now(), removed_at = now() where id = ?', [
        deleted.videoId,
      ])
    await store(`${mediaPrefix(deleted.videoId)}360p/0a0a0a0a/1.m4s`)
    await store(sourceKey(deleted.videoId))
    const before = (await removedObjects.get()).values[0]?.value ?? 0
    expect((await reconcile()).count).toBe(6)
    expect(await fixture.objects()).toEqual(kept)
    expect((await removedObjects.get()).values[0]?.value).toBe(before + 6)
    expect((await reconcile()).count).toBe(0)
  })

  it('leaves running ingests, kept originals, the last day, unknown videos and other folders alone', async () => {
    for (const status of ['queued', 'processing', 'playable'] as const) {
      const { videoId } = await fixture.addVideo({ status })
      await store(`${partPrefix(videoId, '360p', '0c0c0c0c')}1.m4s`)
      await store(sourceKey(videoId))
    }
    const original = await fixture.addVideo({ status: 'ready', keepOriginal: true })
    await store(sourceKey(original.videoId))
    const ready = await addReady()
    await store(`${partPrefix(ready, '360p', '0d0d0d0d')}1.m4s`)
    // The attempt still writes.
    await store(`${partPrefix(ready, '360p', '0d0d0d0d')}2.m4s`, 23)
    // Its row is in a newer backup.
    await store(sourceKey(UNKNOWN))
    await store(posterKey(UNKNOWN))
    await store('videos/notes/poster.jpg')
    const before = await fixture.objects()
    expect((await reconcile()).count).toBe(0)
    expect(await fixture.objects()).toEqual(before)
  })

  it('keeps what a video needs that became ready after its folder was listed', async () => {
    const { videoId } = await fixture.addVideo({ status: 'playable' })
    const used = await store(`${partPrefix(videoId, '360p', '0e0e0e0e')}1.m4s`)
    const finish = async () => {
      await publish(videoId, '0e0e0e0e')
      await transitionVideo(fixture.deps.db.em.fork(), videoId, 'ready')
    }
    const { storage } = fixture.deps
    let isReady = false
    const listFolders: ObjectStorage['listFolders'] = async (...page) => {
      const folders = await storage.listFolders(...page)
      if (!isReady) await finish()
      isReady = true
      return folders
    }
    expect((await reconcile({ listFolders })).count).toBe(0)
    expect(await fixture.objects()).toEqual([used])
  })

  it('keeps what a video needs that becomes ready before its objects are listed', async () => {
    const other = await addReady()
    await store(tileKey(other, 1))
    const { videoId } = await fixture.addVideo({ status: 'playable' })
    const used = await store(`${partPrefix(videoId, '360p', '0e0e0e0e')}1.m4s`)
    const { storage } = fixture.deps
    async function* list(prefix: string) {
      const video = await fixture.video(videoId)
      if (video.status === 'playable') {
        await publish(videoId, '0e0e0e0e')
        await transitionVideo(fixture.deps.db.em.fork(), videoId, 'ready')
      }
      yield* storage.list(prefix)
    }
    expect((await reconcile({ list })).count).toBe(1)
    expect(await fixture.objects()).toContain(used)
  })

  it('goes on without a folder that cannot be removed, after four attempts, and counts it', async () => {
    const ids = (await Promise.all([addReady(), addReady(), addReady()])).toSorted()
    const tiles = await Promise.all(ids.map((id) => store(tileKey(id, 1))))
    const sources = await Promise.all(ids.map((id) => store(sourceKey(id))))
    const denied = tilesPrefix(ids[1] ?? '')
    const { deps } = fixture
    let isAway = false
    const storage: ObjectStorage = {
      ...deps.storage,
      check: async () => {
        if (isAway) throw new Error('the storage is away')
      },
      deletePrefix: async (prefix, onProgress) => {
        if (prefix === denied) throw new Error('access denied')
        return deps.storage.deletePrefix(prefix, onProgress)
      },
    }
    const step = (attempt: number, position = FIRST_POSITION) =>
      runActivity(withDeps({ ...deps, storage }, removeUnusedObjects), position, { attempt })
    for (const attempt of [1, 4]) await expect(step(attempt)).rejects.toThrow('access denied')
    isAway = true
    await expect(step(5)).rejects.toThrow('the storage is away')
    isAway = false
    // What is removed before the folder depends on their order.
    expect(await step(5)).toMatchObject({ failed: 1, next: { root: 0, after: ids[2] } })
    expect((await step(1, { root: 1, after: '' })).removed).toBe(3)
    const left = await fixture.objects()
    expect(left).toContain(tiles[1])
    for (const key of [tiles[0], tiles[2], ...sources]) expect(left).not.toContain(key)
  })

  it('looks at a page of folders in each step, and continues behind it', async () => {
    for (let videos = 0; videos < 5; videos += 1) await store(tileKey(await addReady(), 1))
    // Three pages of videos and an empty one, and an empty one of sources.
    expect(await reconcile({}, 2)).toEqual({ count: 5, steps: 5 })
  })
})
