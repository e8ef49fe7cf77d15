import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MockActivityEnvironment } from '@temporalio/testing'
import { DefaultLogger } from '@temporalio/worker'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { choosePoster } from '../../commands/videos/choose-poster.ts'
import { deleteVideo } from '../../commands/videos/delete-video.ts'
import { uploadPoster } from '../../commands/videos/upload-poster.ts'
import type { Video } from '../../db/entities/video.ts'
import { findPosterUpload } from '../../db/videos/poster-uploads.ts'
import { findVideosById } from '../../db/videos/videos.ts'
import { expirePosterUploads } from '../../db/videos/write-poster-uploads.ts'
import { mediaPrefix, posterKey, uploadName } from '../../domain/videos/media-paths.ts'
import { readPicture } from '../../domain/videos/picture.ts'
import { createStorage, type ObjectStorage } from '../../storage/object-storage.ts'
import { insertSealedAccountFixture } from '../../test/fixtures/account.ts'
import { openDatabaseFixture, type DatabaseFixture } from '../../test/fixtures/database.ts'
import { makePng } from '../../test/fixtures/pictures.ts'
import { insertVideoFixture } from '../../test/fixtures/video-rows.ts'
import { createSetPoster } from './set-poster.ts'

let fixture: DatabaseFixture
let storage: ObjectStorage
let folder: string
let accountId: number

beforeAll(async () => {
  fixture = await openDatabaseFixture(4)
  folder = await mkdtemp(join(tmpdir(), 'reelgate-set-poster-'))
  storage = createStorage({ driver: 'folder', dir: join(folder, 'objects') })
  accountId = await insertSealedAccountFixture(fixture.db)
})
afterAll(async () => {
  await fixture.close()
  await rm(folder, { recursive: true, force: true })
})

/** A ready video with a poster and two frames. */
async function addVideo(): Promise<string> {
  const videoId = await insertVideoFixture(fixture.db, { accountId, status: 'ready' })
  await fixture.execute(
    'update video set has_poster = true, frame_count = 2, size_bytes = 1000 where id = ?',
    [videoId],
  )
  return videoId
}

async function videoOf(id: string): Promise<Video> {
  const [video] = await findVideosById(fixture.em(), [id])
  if (!video) throw new Error('no such video')
  return video
}

const inTransaction = <T>(work: (tx: ReturnType<DatabaseFixture['em']>) => Promise<T>) =>
  fixture.em().transactional(work)

const upload = async (videoId: string, width = 640): Promise<number> => {
  const send = inTransaction((tx) => uploadPoster(tx, accountId, videoId, makePng({ width })))
  return (await send).number
}

const choose = (videoId: string, name: string): Promise<void> =>
  inTransaction((tx) => choosePoster(tx, accountId, videoId, name))

/** Runs the activity; `changed` replaces functions of the storage. */
function run(
  videoId: string,
  number: number,
  changed: Partial<ObjectStorage> = {},
  info: { attempt?: number } = {},
): Promise<void> {
  const setPoster = createSetPoster({
    db: fixture.db,
    storage: { ...storage, ...changed },
    ownDir: join(folder, 'own'),
    logger: pino({ level: 'silent' }),
  })
  const environment = new MockActivityEnvironment(info, { logger: new DefaultLogger('ERROR') })
  return environment.run(setPoster, { videoId, accountId, number })
}

async function objectsOf(videoId: string): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of storage.list(mediaPrefix(videoId))) keys.push(key)
  return keys.toSorted()
}

async function shownWidth(videoId: string): Promise<number | undefined> {
  const { posterName } = await videoOf(videoId)
  const object = await storage.read(posterKey(videoId, posterName), 1024 ** 2)
  return object?.body ? readPicture(object.body)?.width : undefined
}

/** The Base64 of a WebP. */
const WEBP = /^UklGR/

const killed = (): never => {
  throw new Error('the worker was killed here')
}

describe('an uploaded poster', () => {
  it('replaces the poster under another address, and its bytes count', async () => {
    const videoId = await addVideo()
    const number = await upload(videoId)
    expect(await findPosterUpload(fixture.em(), videoId)).toMatchObject({ number, reason: null })
    await run(videoId, number)
    const video = await videoOf(videoId)
    expect(video).toMatchObject({ posterName: uploadName(number), posterVersion: 1 })
    expect(video.sizeBytes).toBe(1000 + video.uploadBytes)
    expect(await shownWidth(videoId)).toBe(640)
    expect(await findPosterUpload(fixture.em(), videoId)).toBeNull()
    expect(await readdir(join(folder, 'own'))).toEqual([])
  })

  it('has a placeholder of its own, in place of that of the upload before', async () => {
    const videoId = await addVideo()
    await fixture.execute('update video set poster_placeholders = ? where id = ?', [
      { poster: 'first' },
      videoId,
    ])
    await run(videoId, await upload(videoId))
    const number = await upload(videoId, 500)
    await run(videoId, number)
    const { posterPlaceholders } = await videoOf(videoId)
    expect(posterPlaceholders).toEqual({
      poster: 'first',
      [uploadName(number)]: expect.stringMatching(WEBP),
    })
  })

  it('may be made twice, and by two workers at the same time', async () => {
    const videoId = await addVideo()
    const number = await upload(videoId)
    await Promise.all([run(videoId, number), run(videoId, number)])
    await run(videoId, number)
    expect(await videoOf(videoId)).toMatchObject({ posterVersion: 1, uploadNumber: number })
    expect(await objectsOf(videoId)).toEqual([posterKey(videoId, uploadName(number))])
  })

  it('is made by the next run if the worker is killed once the object is stored', async () => {
    const videoId = await addVideo()
    const number = await upload(videoId)
    const putFile: ObjectStorage['putFile'] = async (...args) => {
      await storage.putFile(...args)
      killed()
    }
    await expect(run(videoId, number, { putFile })).rejects.toThrow('killed here')
    expect(await videoOf(videoId)).toMatchObject({ posterName: 'poster', posterVersion: 0 })
    await run(videoId, number)
    expect(await videoOf(videoId)).toMatchObject({ uploadNumber: number, posterVersion: 1 })
  })

  it('replaces an earlier one, whose object is removed also after a kill', async () => {
    const videoId = await addVideo()
    await run(videoId, await upload(videoId))
    const second = await upload(videoId, 500)
    await expect(run(videoId, second, { deletePrefix: killed })).rejects.toThrow('killed here')
    expect(await objectsOf(videoId)).toHaveLength(2)
    await run(videoId, second)
    expect(await objectsOf(videoId)).toEqual([posterKey(videoId, uploadName(second))])
    const video = await videoOf(videoId)
    expect(video).toMatchObject({ posterVersion: 2, sizeBytes: 1000 + video.uploadBytes })
    expect(await shownWidth(videoId)).toBe(500)
  })

  it('of two is the newer one, in whatever order they are made', async () => {
    const videoId = await addVideo()
    const first = await upload(videoId, 400)
    let second = 0
    // The second upload arrives while the object of the first one is stored.
    const putFile: ObjectStorage['putFile'] = async (...args) => {
      await storage.putFile(...args)
      second = await upload(videoId, 500)
    }
    await run(videoId, first, { putFile })
    expect(await videoOf(videoId)).toMatchObject({ posterName: 'poster' })
    expect(await objectsOf(videoId)).toEqual([])
    await run(videoId, second)
    await run(videoId, first)
    expect(await shownWidth(videoId)).toBe(500)
    expect(await objectsOf(videoId)).toHaveLength(1)
  })

  it('gives way to a frame that was chosen meanwhile, also to the one that was the poster', async () => {
    for (const name of ['frame-2', 'automatic']) {
      const videoId = await addVideo()
      const number = await upload(videoId)
      const putFile: ObjectStorage['putFile'] = async (...args) => {
        await storage.putFile(...args)
        await choose(videoId, name)
      }
      await run(videoId, number, { putFile })
      const { posterName, uploadNumber } = await videoOf(videoId)
      expect([posterName, uploadNumber]).toEqual([name === 'frame-2' ? name : 'poster', null])
      expect(await objectsOf(videoId)).toEqual([])
      expect(await findPosterUpload(fixture.em(), videoId)).toBeNull()
    }
  })

  it('stays among the pictures when a frame is chosen later', async () => {
    const videoId = await addVideo()
    const number = await upload(videoId)
    await run(videoId, number)
    await choose(videoId, 'frame-1')
    await choose(videoId, 'uploaded')
    expect(await videoOf(videoId)).toMatchObject({
      posterName: uploadName(number),
      posterVersion: 3,
    })
  })

  it('leaves nothing behind if the video is deleted meanwhile', async () => {
    const videoId = await addVideo()
    const number = await upload(videoId)
    const putFile: ObjectStorage['putFile'] = async (...args) => {
      await deleteVideo(fixture.em(), accountId, videoId)
      await storage.putFile(...args)
    }
    await run(videoId, number, { putFile })
    expect(await objectsOf(videoId)).toEqual([])
    expect(
      await fixture.execute('select 1 from poster_upload where video_id = ?', [videoId]),
    ).toEqual([])
  })

  it('that cannot be decoded leaves the poster as it is, and says why', async () => {
    const videoId = await addVideo()
    const whole = makePng()
    const { number } = await inTransaction((tx) =>
      uploadPoster(tx, accountId, videoId, whole.subarray(0, whole.length - 60)),
    )
    await run(videoId, number)
    expect(await videoOf(videoId)).toMatchObject({ posterName: 'poster', posterVersion: 0 })
    expect(await findPosterUpload(fixture.em(), videoId)).toMatchObject({
      reason: 'unreadable_picture',
    })
    expect(
      await fixture.execute('select content from poster_upload where video_id = ?', [videoId]),
    ).toEqual([{ content: null }])
    // A later upload takes its place.
    await run(videoId, await upload(videoId))
    expect(await findPosterUpload(fixture.em(), videoId)).toBeNull()
  })

  it('is refused if the plan has no room for it', async () => {
    const videoId = await addVideo()
    const number = await upload(videoId)
    await fixture.execute('update plan set storage_limit_bytes = 1 where account_id = ?', [
      accountId,
    ])
    await run(videoId, number)
    expect(await findPosterUpload(fixture.em(), videoId)).toMatchObject({
      reason: 'insufficient_storage',
    })
    expect(await objectsOf(videoId)).toEqual([])
    await fixture.execute('update plan set storage_limit_bytes = null where account_id = ?', [
      accountId,
    ])
  })

  it('waits while the storage is away, and is given up after a day', async () => {
    const videoId = await addVideo()
    const number = await upload(videoId)
    const putFile = async () => {
      throw new Error('the storage is away')
    }
    await expect(run(videoId, number, { putFile }, { attempt: 9 })).rejects.toThrow('is away')
    await expirePosterUploads(fixture.em())
    expect(await findPosterUpload(fixture.em(), videoId)).toMatchObject({ reason: null })
    const age = (days: number) =>
      fixture.execute(
        `update poster_upload set created_at = now() - ?::int * interval '1 day'
         where video_id = ?`,
        [days, videoId],
      )
    await age(2)
    await expirePosterUploads(fixture.em())
    expect(await findPosterUpload(fixture.em(), videoId)).toMatchObject({
      reason: 'internal_error',
    })
    await age(31)
    await expirePosterUploads(fixture.em())
    expect(await findPosterUpload(fixture.em(), videoId)).toBeNull()
  })
})
