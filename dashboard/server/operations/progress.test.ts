import { describe, expect, it } from 'vitest'
import { deleteVideo } from '../../../commands/videos/delete-video.ts'
import { transitionVideo } from '../../../commands/videos/transition-video.ts'
import {
  deleteEndedProgress,
  putProgress,
  putWaitingSteps,
} from '../../../db/ingest/write-ingest-progress.ts'
import { setUpOperationsFixture } from '../../../test/fixtures/operations.ts'
import { insertVideoFixture } from '../../../test/fixtures/video-rows.ts'
import { progressOperations } from './progress.ts'

const dashboard = setUpOperationsFixture(progressOperations)
const em = () => dashboard.db.em.fork()

const insert = (accountId = dashboard.ours) =>
  insertVideoFixture(dashboard.db, { accountId, status: 'processing' })

const put = (videoId: string, name: string, fraction: number | null) =>
  putProgress(em(), { videoId, names: [name], fraction })

const progressOf = (...ids: string[]) =>
  dashboard.call<{ data: Record<string, unknown>[] }>('GET', `/progress?ids=${ids.join(',')}`)

const rowsOf = (videoId: string) =>
  dashboard.execute('select name from ingest_progress where video_id = ?', [videoId])

describe('the progress of videos', () => {
  it('shows what their steps have recorded, with the time of the last report', async () => {
    const id = await insert()
    await put(id, 'download', 1)
    await putWaitingSteps(em(), id, ['240p', '720p'])
    await put(id, '240p', 0.25)
    await put(id, '240p', 0.5)
    const { json } = await progressOf(id)
    expect(json.data).toEqual([
      {
        id,
        object: 'video_progress',
        status: 'processing',
        steps: [
          { name: 'download', stage: 'done', fraction: 1, chunks: [] },
          { name: '240p', stage: 'running', fraction: 0.5, chunks: [] },
          { name: '720p', stage: 'waiting', fraction: null, chunks: [] },
        ],
        // Half of 240p, which takes a third of the work with its decode of the source.
        percent: 20,
        seconds_left: null,
        watchable_seconds: 0,
        updated_at: expect.stringMatching(/\+00:00$/),
      },
    ])
  })

  it('counts a published rendition as done', async () => {
    const id = await insert()
    await put(id, '240p', 0.9)
    await dashboard.execute(
      `insert into rendition (video_id, name, facts) values (?, '240p', '{}')`,
      [id],
    )
    const [video] = (await progressOf(id)).json.data
    expect(video?.steps).toEqual([{ name: '240p', stage: 'done', fraction: 1, chunks: [] }])
  })

  it('adds up the parts of a rendition that several workers encode at the same time, and shows each', async () => {
    const id = await insert()
    const names = ['240p', '720p']
    await putWaitingSteps(em(), id, names)
    const part = (index: number, fraction: number, count = 4) =>
      putProgress(em(), { videoId: id, names, part: { index, count }, fraction })
    await Promise.all([part(0, 1), part(1, 0.5), part(3, 0.3)])
    const stepsNow = async () => (await progressOf(id)).json.data[0]?.steps
    const both = (fraction: number) =>
      names.map((name) => ({ name, stage: 'running', fraction: expect.closeTo(fraction) }))
    expect(await stepsNow()).toMatchObject(both(0.45))
    // A retry of a part begins again, and shows nothing until it is further than the first attempt.
    await part(3, 0.1)
    expect(await stepsNow()).toMatchObject(both(0.45))
    await part(3, 0.5)
    expect(await stepsNow()).toMatchObject(both(0.5))
    // The worker of this part was killed after it had recorded the chunk.
    await dashboard.execute(
      `insert into rendition_chunk (video_id, name, count, index, facts, size_bytes)
       select ?, name, 4, 3, '{}', 1 from unnest(array['240p', '720p']) name`,
      [id],
    )
    expect(await stepsNow()).toMatchObject(both(0.625))
    const halfDone = [
      { stage: 'running', count: 2 },
      { stage: 'waiting', count: 1 },
      { stage: 'done', count: 1 },
    ]
    expect(await stepsNow()).toMatchObject(names.map((name) => ({ name, chunks: halfDone })))
    await dashboard.execute('delete from rendition_chunk where video_id = ?', [id])
    // A video that cannot be cut is encoded again as a whole.
    await part(0, 0.2, 1)
    expect(await stepsNow()).toMatchObject(both(0.2).map((step) => ({ ...step, chunks: [] })))
  })

  it('shows how much of the beginning plays while the video is encoded', async () => {
    const id = await insert()
    const outline = {
      durationMs: 60_000,
      frameRate: '25/1',
      rung: '240p',
      audio: ['audio-0'],
      chunks: { chunkFrames: 800, count: 2 },
    }
    await dashboard.execute('insert into growing_film (video_id, outline) values (?, ?)', [
      id,
      JSON.stringify(outline),
    ])
    const record = (name: string, count: number, durationMs: number) =>
      dashboard.execute(
        `insert into rendition_chunk (video_id, name, count, index, facts, size_bytes)
         values (?, ?, ?, 0, ?, 1)`,
        [id, name, count, JSON.stringify({ rendition: { durationMs } })],
      )
    const watchable = async () => (await progressOf(id)).json.data[0]?.watchable_seconds
    await record('240p', 2, 32_000)
    // Of a plan that was given up.
    await record('240p', 1, 60_000)
    expect(await watchable()).toBe(0)
    await record('audio-0', 100_000, 8_000)
    expect(await watchable()).toBe(8)
    await dashboard.execute(`update video set status = 'playable' where id = ?`, [id])
    expect(await watchable()).toBeNull()
  })

  it('does not set a running step back to waiting', async () => {
    const id = await insert()
    await put(id, '240p', 0.1)
    await putWaitingSteps(em(), id, ['240p'])
    const [video] = (await progressOf(id)).json.data
    expect(video?.steps).toEqual([
      { name: '240p', stage: 'running', fraction: expect.closeTo(0.1), chunks: [] },
    ])
  })

  it('leaves out videos that are deleted, unknown or of another account', async () => {
    const [ours, gone, theirs] = [await insert(), await insert(), await insert(dashboard.theirs)]
    await deleteVideo(em(), dashboard.ours, gone)
    const { json } = await progressOf(ours, gone, theirs, 'f'.repeat(20))
    expect(json.data).toMatchObject([{ id: ours, steps: [], updated_at: null }])
  })

  it('is refused for more than 50 videos, and for text that is no id', async () => {
    const many = Array.from({ length: 51 }, () => 'a'.repeat(20))
    expect(await progressOf(...many)).toMatchObject({ status: 422, code: 'invalid_parameter' })
    expect(await progressOf('x')).toMatchObject({ status: 422, code: 'invalid_parameter' })
  })
})

describe('recorded progress', () => {
  it('is removed when its video is at an end or deleted, and is not recorded afterwards', async () => {
    const [failed, deleted] = [await insert(), await insert()]
    for (const id of [failed, deleted]) await put(id, 'download', 0.5)
    await transitionVideo(em(), failed, 'failed')
    await deleteVideo(em(), dashboard.ours, deleted)
    for (const id of [failed, deleted]) {
      expect(await rowsOf(id)).toEqual([])
      await put(id, 'download', 0.6)
      expect(await rowsOf(id)).toEqual([])
    }
  })

  it('stays while the video is only playable', async () => {
    const id = await insert()
    await put(id, '720p', 0.5)
    await transitionVideo(em(), id, 'playable')
    expect(await rowsOf(id)).toEqual([{ name: '720p' }])
  })

  it('of an ended video is removed by the purge', async () => {
    const [running, ended] = [await insert(), await insert()]
    await put(running, '720p', 0.5)
    await transitionVideo(em(), ended, 'failed')
    await putWaitingSteps(em(), ended, ['720p'])
    await deleteEndedProgress(em())
    expect(await rowsOf(running)).toHaveLength(1)
    expect(await rowsOf(ended)).toEqual([])
  })
})
