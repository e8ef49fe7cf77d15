import { describe, expect, it } from '@jest/globals'
import { setUpOperationsFixture } from '../../../test/fixtures/operations.ts'
import { insertVideoFixture } from '../../../test/fixtures/video-rows.ts'
import { posterOperations } from './poster.ts'

const dashboard = setUpOperationsFixture(posterOperations)

interface Poster {
  url: string | null
  automatic_url: string | null
  frame: number | null
  frames: { number: number; url: string }[]
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
const choose = (id: string, frame: unknown, options: object = {}) =>
  dashboard.call<Poster>('PATCH', `/videos/${id}/poster`, { body: { frame }, ...options })

const entries = (id: string) =>
  dashboard.execute('select before, after from audit_entry where subject = ? order by id', [id])

describe('the poster of a video', () => {
  it('is chosen among its frames; its address changes with each choice', async () => {
    const id = await insert()
    const { json } = await get(id)
    expect(json).toMatchObject({ url: `https://play.example/posters/${id}.jpg`, frame: null })
    expect(json.frames.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6])
    for (const url of [json.automatic_url, ...json.frames.map((frame) => frame.url)])
      expect(url).toMatch(/^https:\/\/play\.example\/frames\/v1\.[\w-]+\.[\w-]+$/)
    expect((await choose(id, 4)).json).toMatchObject({
      url: `https://play.example/posters/${id}.jpg?v=1`,
      frame: 4,
    })
    // The same choice again changes nothing.
    await choose(id, 4)
    expect((await choose(id, null)).json).toMatchObject({
      url: `https://play.example/posters/${id}.jpg?v=2`,
      frame: null,
    })
    expect(await entries(id)).toEqual([
      { before: { frame: null }, after: { frame: 4 } },
      { before: { frame: 4 }, after: { frame: null } },
    ])
  })

  it('has no frames for videos from before they were kept, and none before it is ready', async () => {
    expect((await get(await insert(0))).json).toMatchObject({ frames: [] })
    const waiting = { url: null, automatic_url: null, frames: [] }
    expect((await get(await insert(0, false))).json).toMatchObject(waiting)
  })

  it('is refused for a frame that does not exist, to a reader and to another account', async () => {
    const id = await insert(2)
    for (const frame of [3, 0, 1.5, '1'])
      expect(await choose(id, frame)).toMatchObject({ status: 422, code: 'invalid_parameter' })
    expect(await choose(id, 1, { role: 'reader' })).toMatchObject({ code: 'insufficient_role' })
    expect(await choose(id, 1, { accountId: dashboard.theirs })).toMatchObject({ status: 404 })
    expect((await get(id)).json.frame).toBeNull()
  })
})
