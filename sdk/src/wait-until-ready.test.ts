import { describe, expect, it } from 'vitest'
import { transitionVideo } from '../../commands/videos/transition-video.ts'
import { putProgress } from '../../db/ingest/write-ingest-progress.ts'
import { setUpSdkFixture } from '../../test/fixtures/sdk.ts'
import type { Video } from './index.ts'

const t = setUpSdkFixture()

const newVideo = (): Promise<Video> => t.reelgate.videos.create({ source_url: t.api.sourceUrl() })

const moveTo = (
  id: string,
  ...[status, change]: [
    Parameters<typeof transitionVideo>[2],
    Parameters<typeof transitionVideo>[3]?,
  ]
) => transitionVideo(t.api.db.em.fork(), id, status, change)

describe('waitUntilReady', () => {
  it('resolves to the video and reports each status once', async () => {
    const { id } = await newVideo()
    const steps = ['processing', 'playable', 'ready'] as const
    const reported: string[] = []
    const video = await t.reelgate.videos.waitUntilReady(id, {
      intervalMs: 1000,
      onProgress: ({ status }) => {
        reported.push(status)
        const next = steps[reported.length - 1]
        // Each status lasts for a few polls.
        if (next) setTimeout(() => void moveTo(id, next, { durationMs: 9000 }), 1300)
      },
    })
    expect(reported).toEqual(['queued', 'processing', 'playable', 'ready'])
    expect(video).toMatchObject({ id, object: 'video', status: 'ready', duration: 9 })
  })

  it('reports each percent of the progress', async () => {
    const { id } = await newVideo()
    const reported: (number | undefined)[] = []
    const download = (fraction: number) =>
      putProgress(t.api.db.em.fork(), { videoId: id, names: ['download'], fraction })
    await download(0.5)
    await t.reelgate.videos.waitUntilReady(id, {
      intervalMs: 1000,
      onProgress({ progress }) {
        reported.push(progress?.percent)
        if (progress?.percent === 2) void download(1)
        if (progress?.percent === 5)
          void moveTo(id, 'processing')
            .then(() => moveTo(id, 'playable'))
            .then(() => moveTo(id, 'ready'))
      },
    })
    expect(reported.filter((one, index) => one !== reported[index - 1])).toEqual([2, 5, 100])
  })

  it('throws the error of a failed video', async () => {
    const { id } = await newVideo()
    await moveTo(id, 'failed', { errorCode: 'download_failed', errorMessage: 'It is gone.' })
    const reported: string[] = []
    const onProgress = ({ status }: { status: string }) => void reported.push(status)
    await expect(t.reelgate.videos.waitUntilReady(id, { onProgress })).rejects.toMatchObject({
      name: 'ReelgateError',
      type: 'video_failed',
      code: 'download_failed',
      message: 'It is gone.',
      isTransient: false,
    })
    expect(reported).toEqual(['failed'])
  })

  it('gives up after the timeout', async () => {
    const { id } = await newVideo()
    const startedAt = Date.now()
    await expect(
      t.reelgate.videos.waitUntilReady(id, { intervalMs: 1000, timeoutMs: 1500 }),
    ).rejects.toMatchObject({ type: 'wait_timeout', code: 'wait_timeout' })
    expect(Date.now() - startedAt).toBeLessThan(30_000)
  })

  it('gives up after the timeout also if the server does not respond', async () => {
    const { id } = await newVideo()
    t.front.failNext('stall')
    await expect(t.reelgate.videos.waitUntilReady(id, { timeoutMs: 1000 })).rejects.toMatchObject({
      code: 'wait_timeout',
    })
  })

  it('continues after an outage', async () => {
    const { id } = await newVideo()
    await moveTo(id, 'processing')
    await moveTo(id, 'playable')
    await moveTo(id, 'ready')
    const hasty = t.clientWith({ maxRetries: 0 })
    t.front.failNext('refuse', { status: 503 })
    expect((await hasty.videos.waitUntilReady(id, { intervalMs: 1000 })).status).toBe('ready')
  })

  it('rejects with the reason of its signal', async () => {
    const { id } = await newVideo()
    const reason = new Error('The user left.')
    const controller = new AbortController()
    const { signal } = controller
    const wait = t.reelgate.videos.waitUntilReady(id, {
      signal,
      onProgress: () => void setTimeout(() => controller.abort(reason), 200),
    })
    await expect(wait).rejects.toBe(reason)
    await expect(t.reelgate.videos.waitUntilReady(id, { signal })).rejects.toBe(reason)
  })

  it('rejects immediately if the video does not exist', async () => {
    await expect(t.reelgate.videos.waitUntilReady('0'.repeat(20))).rejects.toMatchObject({
      status: 404,
      code: 'video_not_found',
    })
  })

  it.each([
    [{ intervalMs: 999 }, 'intervalMs'],
    [{ intervalMs: 60_001 }, 'intervalMs'],
    [{ timeoutMs: 0 }, 'timeoutMs'],
    [{ timeoutMs: Infinity }, 'timeoutMs'],
  ])('refuses %j', async (options, param) => {
    await expect(t.reelgate.videos.waitUntilReady('x', options)).rejects.toMatchObject({
      code: 'invalid_parameter',
      param,
    })
  })
})
