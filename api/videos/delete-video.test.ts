import { beforeEach, describe, expect, it } from 'vitest'
import { setUpApiFixture } from '../../test/fixtures/api.ts'

const t = setUpApiFixture()
const { call, create } = t

describe('DELETE /v1/videos/{id}', () => {
  let id: string
  let path: string

  beforeEach(async () => {
    id = String((await create()).json.id)
    path = `/v1/videos/${id}`
  })

  const rows = (sql: string, parameters: unknown[] = [id]) =>
    t.db.em.fork().execute<Record<string, unknown>[]>(sql, parameters)
  const events = () =>
    rows(
      `select type from event where body::jsonb -> 'data' ->> 'id' = ? and type = 'video.deleted'`,
    )

  it('returns the deleted id; the video is no longer found', async () => {
    const { status, json } = await call('DELETE', path)
    expect(status).toBe(200)
    expect(json).toEqual({ id, object: 'video', deleted: true })
    for (const below of ['', '/status', '/embed', '/captions', '/chapters', '/moments'])
      expect(await call('GET', path + below)).toMatchObject({ code: 'video_not_found' })
    const token = await call('POST', `${path}/playback-tokens`, { body: { viewer_id: 'v' } })
    expect(token.code).toBe('video_not_found')
    expect((await call('GET', '/v1/videos?limit=100')).json.data).not.toContainEqual(
      expect.objectContaining({ id }),
    )
  })

  it('sends video.deleted once and requests the workflow that stops its ingest and removes its objects', async () => {
    await call('DELETE', path)
    expect(await call('DELETE', path)).toMatchObject({ status: 404, code: 'video_not_found' })
    expect(await events()).toHaveLength(1)
    expect(
      await rows(`select 1 from outbox where command = 'delete-video' and subject_id = ?`),
    ).toHaveLength(1)
  })

  it('deletes once for ten concurrent requests', async () => {
    const responses = await Promise.all(Array.from({ length: 10 }, () => call('DELETE', path)))
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array(9).fill(404),
    ])
    expect(await events()).toHaveLength(1)
  })

  it('immediately destroys its keys, its link, captions, chapters and moments', async () => {
    await rows(
      `insert into content_key (video_id, name, track_types, key_id, sealed_key, systems)
       values (?, 'SD', '{SD}', md5(random()::text), 'sealed', '[]')`,
    )
    await rows(
      `insert into key_request (video_id, name, track_types, key_id, iv_hex)
       values (?, 'SD', '{SD}', md5(random()::text), md5(random()::text))`,
    )
    await rows(`insert into source_key (video_id, sealed_key) values (?, 'sealed')`)
    await call('POST', `${path}/chapters`, { body: { title: 'One', start: 0, end: 5 } })
    await call('POST', `${path}/moments`, { body: { label: 'Now', timestamp: 1 } })
    await call('DELETE', path)
    for (const table of [
      'content_key',
      'key_request',
      'source_key',
      'caption',
      'chapter',
      'moment',
    ])
      expect(await rows(`select 1 from ${table} where video_id = ?`)).toEqual([])
    expect(await rows('select source_url from video where id = ?')).toEqual([{ source_url: '' }])
  })

  it('releases its storage', async () => {
    await rows(`update video set size_bytes = 5000, reserved_bytes = 0 where id = ?`)
    const used = async () =>
      ((await call('GET', '/v1/usage')).json.storage as { used_bytes: number }).used_bytes
    const before = await used()
    await call('DELETE', path)
    expect(await used()).toBe(before - 5000)
  })

  it('empties its folder', async () => {
    const folder = await call('POST', '/v1/folders', { body: { name: crypto.randomUUID() } })
    await call('PATCH', path, { body: { folder_id: folder.json.id } })
    await call('DELETE', path)
    expect((await call('DELETE', `/v1/folders/${String(folder.json.id)}`)).status).toBe(200)
  })

  it("does not find another account's video", async () => {
    expect((await call('DELETE', path, { key: t.theirs.key })).code).toBe('video_not_found')
    expect((await call('GET', path)).status).toBe(200)
  })
})
