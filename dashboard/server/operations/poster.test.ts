import { describe, expect, it } from 'vitest'
import { posterUploadOperations } from '../../../api/posters/operations.ts'
import { POSTER_UPLOAD_MAX_BYTES, POSTER_UPLOADS_WAITING_MAX } from '../../../domain/limits.ts'
import { setUpOperationsFixture } from '../../../test/fixtures/operations.ts'
import { makePng } from '../../../test/fixtures/pictures.ts'
import { insertVideoFixture } from '../../../test/fixtures/video-rows.ts'
import { posterOperations } from './poster.ts'

const dashboard = setUpOperationsFixture([...posterOperations, ...posterUploadOperations])

interface Poster {
  url: string | null
  picture: string
  pictures: { name: string; url: string }[]
}

async function insert(frameCount = 6, hasPoster = true): Promise<string> {
  const id = await insertVideoFixture(dashboard.db, { accountId: dashboard.ours })
  await dashboard.execute('update video set frame_count = ?, has_poster = ? where id = ?', [
    frameCount,
    hasPoster,
    id,
  ])
  return id
}

const get = (id: string) => dashboard.call<Poster>('GET', `/videos/${id}/poster`)
const choose = (id: string, picture: unknown, options: object = {}) =>
  dashboard.call<Poster>('PATCH', `/videos/${id}/poster`, { body: { picture }, ...options })
const upload = (id: string, file: Uint8Array, options: object = {}) =>
  dashboard.call('POST', `/v1/videos/${id}/poster/upload`, { file, ...options })
const uploadOf = (id: string) => dashboard.call('GET', `/v1/videos/${id}/poster/upload`)

const entries = (id: string) =>
  dashboard.execute('select action, before, after from audit_entry where subject = ? order by id', [
    id,
  ])

describe('the storyboard of a video', () => {
  it('has the addresses of its picture and of its index, for members of its account', async () => {
    const id = await insert()
    const path = `/videos/${id}/storyboard`
    const none = { id, object: 'storyboard', image_url: null, index_url: null }
    expect((await dashboard.call('GET', path)).json).toEqual(none)
    await dashboard.execute('update video set has_storyboard = true where id = ?', [id])
    const address = expect.stringMatching(/^https:\/\/play\.example\/frames\/v1\./)
    const { json } = await dashboard.call('GET', path, { role: 'reader' })
    expect(json).toMatchObject({ image_url: address, index_url: address })
    const foreign = await dashboard.call('GET', path, { accountId: dashboard.theirs })
    expect(foreign).toMatchObject({ status: 404, code: 'video_not_found' })
  })
})

describe('the poster of a video', () => {
  it('is chosen among its pictures; its address changes with each choice', async () => {
    const id = await insert(2)
    const { json } = await get(id)
    expect(json).toMatchObject({
      url: `https://play.example/posters/${id}.jpg`,
      picture: 'automatic',
    })
    expect(json.pictures.map(({ name }) => name)).toEqual(['automatic', 'frame-1', 'frame-2'])
    for (const { url } of json.pictures)
      expect(url).toMatch(/^https:\/\/play\.example\/frames\/v1\.[\w-]+\.[\w-]+$/)
    expect((await choose(id, 'frame-2')).json).toMatchObject({
      url: `https://play.example/posters/${id}.jpg?v=1`,
      picture: 'frame-2',
    })
    // The same choice again changes nothing.
    await choose(id, 'frame-2')
    expect((await choose(id, 'automatic')).json).toMatchObject({
      url: `https://play.example/posters/${id}.jpg?v=2`,
      picture: 'automatic',
    })
    const action = 'video.choose_poster'
    expect(await entries(id)).toEqual([
      { action, before: { picture: 'automatic' }, after: { picture: 'frame-2' } },
      { action, before: { picture: 'frame-2' }, after: { picture: 'automatic' } },
    ])
  })

  it('has no frames for videos from before they were kept, and no pictures before it is ready', async () => {
    const old = (await get(await insert(0))).json
    expect(old.pictures.map(({ name }) => name)).toEqual(['automatic'])
    expect((await get(await insert(0, false))).json).toMatchObject({ url: null, pictures: [] })
  })

  it('is refused for a picture that does not exist, to a reader and to another account', async () => {
    const id = await insert(2)
    for (const picture of ['frame-3', 'frame-0', 'frame-01', 'poster', 'uploaded', 1, null])
      expect(await choose(id, picture)).toMatchObject({ status: 422, code: 'invalid_parameter' })
    expect(await choose(id, 'frame-1', { role: 'reader' })).toMatchObject({
      code: 'insufficient_role',
    })
    expect(await choose(id, 'frame-1', { accountId: dashboard.theirs })).toMatchObject({
      status: 404,
    })
    expect((await get(id)).json.picture).toBe('automatic')
  })
})

describe('the upload of a poster', () => {
  it('is kept with its workflow request and its audit entry', async () => {
    const id = await insert()
    const file = makePng()
    const state = { status: 'pending', reason: null, format: 'png', size_bytes: file.length }
    expect(await upload(id, file)).toMatchObject({ status: 202, json: state })
    expect((await uploadOf(id)).json).toEqual({ id, object: 'poster_upload', ...state })
    const kept = await dashboard.execute<{ content: Buffer; number: number }>(
      'select content, number from poster_upload where video_id = ?',
      [id],
    )
    expect(kept[0]?.content.equals(file)).toBe(true)
    expect(
      await dashboard.execute(`select command from outbox where subject_id = ?`, [
        `${id}/${kept[0]?.number}`,
      ]),
    ).toEqual([{ command: 'set-poster' }])
    expect(await entries(id)).toEqual([
      {
        action: 'video.upload_poster',
        before: null,
        after: { format: 'png', size_bytes: file.length },
      },
    ])
    // A choice withdraws it, even that of the picture that the poster is.
    await choose(id, 'automatic')
    expect((await uploadOf(id)).json).toMatchObject({ status: null, size_bytes: null })
  })

  it.each([
    ['an SVG', 'unsupported_picture', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a GIF', 'unsupported_picture', Buffer.from(`GIF89a${'\0'.repeat(60)}`)],
    ['an empty file', 'unsupported_picture', Buffer.alloc(0)],
    ['an animation', 'animated_picture', makePng({ isAnimated: true })],
    ['a picture that is too small', 'picture_too_small', makePng({ width: 300, height: 300 })],
    [
      'a picture that claims too many pixels',
      'picture_too_large',
      makePng({ claimed: { width: 60_000, height: 60_000 } }),
    ],
  ])('is refused for %s, whatever type it declares', async (_name, code, file) => {
    const id = await insert()
    expect(await upload(id, file)).toMatchObject({ status: 422, code })
    expect((await uploadOf(id)).json).toMatchObject({ status: null })
    expect(await entries(id)).toEqual([])
  })

  it('is refused for a file of more than 10 MB, with its limit', async () => {
    const id = await insert()
    const response = await dashboard.call<{ error: { message: string } }>(
      'POST',
      `/v1/videos/${id}/poster/upload`,
      { file: Buffer.concat([makePng(), Buffer.alloc(POSTER_UPLOAD_MAX_BYTES)]) },
    )
    expect(response).toMatchObject({ status: 413, code: 'payload_too_large' })
    expect(response.json.error.message).toBe('The request body is larger than 10 MB.')
    const largest = Buffer.concat([makePng(), Buffer.alloc(POSTER_UPLOAD_MAX_BYTES)])
    expect(await upload(id, largest.subarray(0, POSTER_UPLOAD_MAX_BYTES))).toMatchObject({
      status: 202,
    })
  })

  it('is refused before the video is ready, to a reader and to another account', async () => {
    const id = await insert()
    expect(await upload(await insert(0, false), makePng())).toMatchObject({
      status: 409,
      code: 'video_not_ready',
    })
    expect(await upload(id, makePng(), { role: 'reader' })).toMatchObject({
      code: 'insufficient_role',
    })
    const theirs = { accountId: dashboard.theirs }
    expect(await upload(id, makePng(), theirs)).toMatchObject({ code: 'video_not_found' })
    expect(await dashboard.call('GET', `/v1/videos/${id}/poster/upload`, theirs)).toMatchObject({
      code: 'video_not_found',
    })
    expect((await uploadOf(id)).json).toMatchObject({ status: null })
  })

  it('takes the place of one that waits, and ten of an account can wait', async () => {
    await dashboard.execute('delete from poster_upload')
    const ids = await Promise.all(
      Array.from({ length: POSTER_UPLOADS_WAITING_MAX + 1 }, () => insert()),
    )
    const [first = '', ...others] = ids
    const last = others.pop() ?? ''
    for (const id of [first, ...others]) expect((await upload(id, makePng())).status).toBe(202)
    expect(await upload(last, makePng())).toMatchObject({ code: 'too_many_poster_uploads' })
    const numbers = () =>
      dashboard.execute<{ number: number }>('select number from poster_upload where video_id = ?', [
        first,
      ])
    const [before] = await numbers()
    expect((await upload(first, makePng({ width: 400 }))).status).toBe(202)
    const [after, ...more] = await numbers()
    expect(after?.number).toBeGreaterThan(before?.number ?? Infinity)
    expect(more).toEqual([])
  })
})
