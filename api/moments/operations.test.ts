import { beforeEach, describe, expect, it } from 'vitest'
import { setUpApiFixture } from '../../test/fixtures/api.ts'

const t = setUpApiFixture()
const { call, create } = t

describe('moments', () => {
  let videoId: string
  let path: string

  beforeEach(async () => {
    videoId = String((await create()).json.id)
    path = `/v1/videos/${videoId}/moments`
  })

  const add = (timestamp: unknown, label: unknown = 'Goal') =>
    call('POST', path, { body: { label, timestamp } })

  it('are created, listed by time, counted on the video and deleted', async () => {
    await add(61)
    const { status, json } = await add(5, 'Whistle')
    expect(status).toBe(201)
    expect(json).toEqual({
      id: expect.any(Number),
      object: 'moment',
      label: 'Whistle',
      timestamp: 5,
      created_at: expect.any(String),
    })
    expect((await call('GET', path)).json).toMatchObject({
      object: 'list',
      data: [{ timestamp: 5 }, { timestamp: 61 }],
      has_more: false,
    })
    expect((await call('GET', `/v1/videos/${videoId}`)).json.moment_count).toBe(2)
    const one = `${path}/${String(json.id)}`
    expect((await call('DELETE', one)).json).toMatchObject({ id: json.id, deleted: true })
    expect(await call('DELETE', one)).toMatchObject({ status: 404, code: 'moment_not_found' })
  })

  it('are unique by timestamp in a video, even for ten concurrent requests', async () => {
    const responses = await Promise.all(Array.from({ length: 10 }, () => add(7)))
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201,
      ...Array(9).fill(409),
    ])
    expect(responses.find(({ status }) => status === 409)?.code).toBe('moment_exists')
    const other = String((await create()).json.id)
    const body = { label: 'Goal', timestamp: 7 }
    expect((await call('POST', `/v1/videos/${other}/moments`, { body })).status).toBe(201)
  })

  it('must lie within the video once its duration is known', async () => {
    await t.db.em.fork().execute('update video set duration_ms = 9300 where id = ?', [videoId])
    expect((await add(9)).status).toBe(201)
    const beyond = await add(10)
    expect(beyond).toMatchObject({ status: 422, code: 'invalid_parameter' })
    expect(beyond.json.error?.param).toBe('timestamp')
  })

  it.each([
    [undefined, 'a'],
    [null, 'a'],
    ['5', 'a'],
    [-1, 'a'],
    [1.5, 'a'],
    [1e300, 'a'],
    [1, ''],
    [1, ' '],
    [1, null],
    [1, 7],
    [1, 'x'.repeat(256)],
    [1, 'a\u0000'],
  ])('refuse timestamp %j with label %j', async (timestamp, label) => {
    expect(await add(timestamp, label)).toMatchObject({ status: 422, code: 'invalid_parameter' })
  })

  it("do not find another account's video", async () => {
    const body = { label: 'a', timestamp: 1 }
    expect((await call('POST', path, { body, key: t.theirs.key })).code).toBe('video_not_found')
  })

  it('are at most 500 for each video', async () => {
    await t.db.em.fork().execute(
      `insert into moment (video_id, label, timestamp_seconds)
       select ?, 'x', n from generate_series(1, 500) n`,
      [videoId],
    )
    expect(await add(1000)).toMatchObject({ status: 422, code: 'too_many_moments' })
  })
})
