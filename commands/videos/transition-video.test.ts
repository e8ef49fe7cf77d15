import { describe, expect, it } from 'vitest'
import { canMove, VIDEO_STATUSES, type VideoStatus } from '../../domain/videos/video-state.ts'
import { setUpCommandFixture } from '../../test/fixtures/commands.ts'
import { transitionVideo } from './transition-video.ts'

const t = setUpCommandFixture()
const NOTHING = { events: [], deliveries: [], commands: [] }

type Target = Exclude<VideoStatus, 'queued'>
const targets = VIDEO_STATUSES.filter((status): status is Target => status !== 'queued')
const pairs = VIDEO_STATUSES.flatMap((from) => targets.map((to) => [from, to] as const))

describe('the transition of a video', () => {
  it.each(pairs)('from %s to %s happens only if the contract allows it', async (from, to) => {
    const id = await t.addVideo(from)
    const before = await t.video(id)
    expect(await transitionVideo(t.em(), id, to, { width: 10 })).toBe(canMove(from, to))
    const after = await t.video(id)
    if (canMove(from, to)) expect(after).toMatchObject({ status: to, width: 10 })
    else expect(after).toEqual(before)
    const announced = canMove(from, to) && to !== 'playable'
    expect((await t.appended()).events).toHaveLength(announced ? 1 : 0)
  })

  it.each([
    ['queued', 'processing', 'video.created', {}],
    ['playable', 'ready', 'video.ready', {}],
    ['playable', 'failed', 'video.failed', { error: 'It is damaged.' }],
  ] as const)('from %s to %s is announced as %s', async (from, to, type, more) => {
    const endpointId = await t.addEndpoint([type])
    const id = await t.addVideo(from)
    const errorMessage = 'It is damaged.'
    await transitionVideo(t.em(), id, to, to === 'failed' ? { errorMessage } : {})
    const { events, deliveries, commands } = await t.appended()
    expect(events).toMatchObject([{ type, data: { id, object: 'video', status: to, ...more } }])
    const fields = Object.keys(JSON.parse(events[0]?.body ?? ''))
    expect(fields).toEqual(['id', 'type', 'created_at', 'data'])
    expect(deliveries).toEqual([{ endpoint_id: endpointId, event_type: type, status: 'pending' }])
    expect(commands).toEqual([{ command: 'deliver-webhook', account_id: t.accountId }])
  })

  it('is announced with the id of the request that created the video', async () => {
    await t.addEndpoint(['video.created'])
    const id = await t.addVideo('queued')
    await t.execute(`update video set request_id = 'req_1' where id = ?`, [id])
    await transitionVideo(t.em(), id, 'processing')
    expect(await t.execute('select request_id from event')).toEqual([{ request_id: 'req_1' }])
    expect(await t.execute('select request_id from outbox')).toEqual([{ request_id: 'req_1' }])
  })

  it('writes the properties that change with the status, and the time', async () => {
    const id = await t.addVideo('playable')
    const before = await t.video(id)
    const change = { durationMs: 2000, sizeBytes: 9, reservedBytes: 0, width: 16, height: 9 }
    await transitionVideo(t.em(), id, 'ready', { ...change, hasPoster: true, hasStoryboard: true })
    const after = await t.video(id)
    expect(after).toMatchObject({ duration_ms: 2000, size_bytes: 9, reserved_bytes: 0 })
    expect(after).toMatchObject({ width: 16, height: 9, has_poster: true, has_storyboard: true })
    expect(Number(after.updated_at)).toBeGreaterThan(Number(before.updated_at))
  })

  it('with a duration cuts the chapters and moments that were set before the duration was known', async () => {
    const [id, other] = [await t.addVideo('playable'), await t.addVideo('playable')]
    for (const video of [id, other]) {
      for (const [start, end] of [
        [0, 5],
        [5, 30],
        [30, 40],
      ])
        await t.execute(
          `insert into chapter (video_id, title, start_seconds, end_seconds) values (?, 'A', ?, ?)`,
          [video, start, end],
        )
      for (const at of [9, 10])
        await t.execute(
          `insert into moment (video_id, label, timestamp_seconds) values (?, 'A', ?)`,
          [video, at],
        )
    }
    const left = async (video: string) => [
      await t.execute(
        `select start_seconds as start, end_seconds as end from chapter
         where video_id = ? order by start_seconds`,
        [video],
      ),
      await t.execute('select timestamp_seconds as at from moment where video_id = ? order by 1', [
        video,
      ]),
    ]
    await transitionVideo(t.em(), id, 'ready', { durationMs: 9300 })
    const kept = [
      { start: 0, end: 5 },
      { start: 5, end: 10 },
    ]
    expect(await left(id)).toEqual([kept, [{ at: 9 }]])
    const untouched = [
      { start: 0, end: 5 },
      { start: 5, end: 30 },
      { start: 30, end: 40 },
    ]
    expect(await left(other)).toEqual([untouched, [{ at: 9 }, { at: 10 }]])
  })

  it('does not change a deleted video or other videos', async () => {
    const [id, other] = [await t.addVideo('queued'), await t.addVideo('queued')]
    await t.execute('update video set deleted_at = now() where id = ?', [id])
    expect(await transitionVideo(t.em(), id, 'processing')).toBe(false)
    expect(await transitionVideo(t.em(), 'f'.repeat(20), 'processing')).toBe(false)
    expect(await t.video(id)).toMatchObject({ status: 'queued' })
    expect(await t.video(other)).toMatchObject({ status: 'queued' })
    expect(await t.appended()).toEqual(NOTHING)
  })

  it('is announced once when it is repeated', async () => {
    await t.addEndpoint(['video.created'])
    const id = await t.addVideo('queued')
    expect(await transitionVideo(t.em(), id, 'processing')).toBe(true)
    expect(await transitionVideo(t.em(), id, 'processing')).toBe(false)
    const { events, deliveries, commands } = await t.appended()
    expect([events.length, deliveries.length, commands.length]).toEqual([1, 1, 1])
  })

  it('succeeds once among concurrent ones', async () => {
    await t.addEndpoint(['video.ready', 'video.failed'])
    const id = await t.addVideo('playable')
    const ends = ['ready', 'failed', 'ready', 'failed', 'ready', 'failed'] as const
    const moved = await Promise.all(ends.map((to) => transitionVideo(t.em(), id, to)))
    expect(moved.filter(Boolean)).toHaveLength(1)
    const { events, deliveries, commands } = await t.appended()
    expect(events).toMatchObject([{ data: { status: (await t.video(id)).status } }])
    expect([deliveries.length, commands.length]).toEqual([1, 1])
  })

  it('leaves nothing after a rollback', async () => {
    await t.addEndpoint(['video.created'])
    const id = await t.addVideo('queued')
    const work = t.em().transactional(async (tx) => {
      expect(await transitionVideo(tx, id, 'processing')).toBe(true)
      throw new Error('the caller failed')
    })
    await expect(work).rejects.toThrow('the caller failed')
    expect(await t.video(id)).toMatchObject({ status: 'queued' })
    expect(await t.appended()).toEqual(NOTHING)
  })

  it('is rolled back if its event cannot be written', async () => {
    await t.addEndpoint(['video.created'])
    const id = await t.addVideo('queued')
    await t.execute(`alter table outbox add constraint full_up check (account_id < 0)`)
    try {
      await expect(transitionVideo(t.em(), id, 'processing')).rejects.toThrow('full_up')
    } finally {
      await t.execute('alter table outbox drop constraint full_up')
    }
    expect(await t.video(id)).toMatchObject({ status: 'queued' })
    expect(await t.appended()).toEqual(NOTHING)
  })

  it('does not expose the source link', async () => {
    const id = await t.addVideo('queued')
    await transitionVideo(t.em(), id, 'processing')
    expect(JSON.stringify(await t.appended())).not.toContain('files.example.com')
  })
})
