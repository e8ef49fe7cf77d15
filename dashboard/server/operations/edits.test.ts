import { describe, expect, it } from 'vitest'
import { setUpOperationsFixture } from '../../../test/fixtures/operations.ts'
import { insertVideoFixture } from '../../../test/fixtures/video-rows.ts'
import { editOperations } from './edits.ts'
import { timelineOperations } from './timeline.ts'

const t = setUpOperationsFixture([...editOperations, ...timelineOperations])

interface JsonResponse {
  title: string
  description: string
  label: string
  size_bytes: number
  updated_at: string
  data: { id: number; title: string; label: string; timestamp: number }[]
  current?: JsonResponse
}

type Edit = [method: string, path: string, body: object]

const call = (...[method, path, body]: Edit) => t.call<JsonResponse>(method, path, { body })

const ROUNDS = 8

/**
 * Sends edits that start from the same values at once, several times. Of each two, one is saved and the other is
 * refused with what the first has stored.
 */
async function race(
  editsOf: (round: number) => Promise<[Edit, Edit]>,
  read: (one: JsonResponse) => unknown,
): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const edits = await editsOf(round)
    const responses = await Promise.all(edits.map((edit) => call(...edit)))
    const [saved, refused] = responses.toSorted((a, b) => a.status - b.status)
    expect(saved?.status).toBeLessThan(300)
    expect(refused).toMatchObject({ status: 409, code: 'stale_edit' })
    if (!saved || !refused?.json.current) throw new Error('no current value')
    expect(read(refused.json.current)).toEqual(read(saved.json))
  }
}

const insertVideo = (): Promise<string> => insertVideoFixture(t.db, { accountId: t.ours })

const state = { title: 'Opening', description: '', folder_id: null }

async function insertTitled(): Promise<string> {
  const id = await insertVideo()
  await t.execute('update video set title = ?, description = ? where id = ?', ['Opening', '', id])
  return id
}

describe('a change of a video', () => {
  it('is refused when its field has changed, with the video as it is', async () => {
    const path = `/videos/${await insertTitled()}`
    expect((await call('PATCH', path, { title: 'Theirs', from: state })).status).toBe(200)
    const stale = await call('PATCH', path, { title: 'Mine', from: state })
    expect(stale).toMatchObject({ status: 409, code: 'stale_edit' })
    expect(stale.json.current?.title).toBe('Theirs')
    const again = await call('PATCH', path, { title: 'Mine', from: { ...state, title: 'Theirs' } })
    expect(again.json.title).toBe('Mine')
  })

  it('is saved when only other fields have changed', async () => {
    const path = `/videos/${await insertTitled()}`
    await call('PATCH', path, { title: 'Theirs', from: state })
    const { status, json } = await call('PATCH', path, { description: 'Mine', from: state })
    expect(status).toBe(200)
    expect(json).toMatchObject({ title: 'Theirs', description: 'Mine' })
  })

  it('is saved once of two at the same time', async () => {
    await race(
      async () => {
        const path = `/videos/${await insertTitled()}`
        return [
          ['PATCH', path, { title: 'A', from: state }],
          ['PATCH', path, { title: 'B', from: state }],
        ]
      },
      ({ title }) => title,
    )
  })

  it('compares a folder, also when there was none', async () => {
    const [folder] = await t.execute<{ id: number }>(
      "insert into folder (account_id, name) values (?, 'Plays') returning id",
      [t.ours],
    )
    const path = `/videos/${await insertTitled()}`
    const moved = await call('PATCH', path, { folder_id: folder?.id, from: state })
    expect(moved.status).toBe(200)
    expect((await call('PATCH', path, { folder_id: null, from: state })).code).toBe('stale_edit')
    const from = { ...state, folder_id: folder?.id }
    expect((await call('PATCH', path, { folder_id: null, from })).status).toBe(200)
  })
})

describe('a change of an endpoint', () => {
  const facts = { url: 'https://site.example/hook', description: '', events: ['video.ready'] }

  async function insertEndpoint(): Promise<string> {
    const [row] = await t.execute<{ id: number }>(
      `insert into webhook_endpoint (account_id, url, description, events, sealed_secret)
       values (?, ?, '', '{video.ready}', 'sealed') returning id`,
      [t.ours, facts.url],
    )
    return `/webhook-endpoints/${row?.id ?? 0}`
  }

  it('is refused when its field has changed, and saved when another one has', async () => {
    const path = await insertEndpoint()
    const theirs = await call('PATCH', path, { events: ['video.failed'], from: facts })
    expect(theirs.status).toBe(200)
    const stale = await call('PATCH', path, { events: ['video.created'], from: facts })
    expect(stale).toMatchObject({
      code: 'stale_edit',
      json: { current: { events: ['video.failed'] } },
    })
    const other = await call('PATCH', path, { description: 'Shop', from: facts })
    expect(other.json).toMatchObject({ description: 'Shop', events: ['video.failed'] })
  })

  it('is saved once of two at the same time', async () => {
    await race(
      async () => {
        const path = await insertEndpoint()
        return [
          ['PATCH', path, { description: 'A', from: facts }],
          ['PATCH', path, { description: 'B', from: facts }],
        ]
      },
      ({ description }) => description,
    )
  })
})

describe('a caption', () => {
  const body = (text: string, from: object | null) => ({
    language_code: 'en',
    label: 'English',
    content: `WEBVTT\n\n00:00.000 --> 00:02.000\n${text}\n`,
    from,
  })

  it('does not replace one that the member has not seen', async () => {
    const path = `/videos/${await insertVideo()}/captions`
    const first = await call('POST', path, body('One', null))
    expect(first.status).toBe(201)
    const stale = await call('POST', path, body('Two', null))
    expect(stale).toMatchObject({ status: 409, code: 'stale_edit' })
    expect(stale.json.current?.data[0]?.label).toBe('English')
    const { label, size_bytes, updated_at } = first.json
    const second = await call('POST', path, body('Two', { label, size_bytes, updated_at }))
    expect(second.status).toBe(201)
  })

  it('is added once of two at the same time', async () => {
    const [one, other] = [await insertVideo(), await insertVideo()]
    for (const id of [one, other]) {
      const add = () => call('POST', `/videos/${id}/captions`, body('One', null))
      const codes = (await Promise.all([add(), add()])).map(({ code }) => code ?? 'saved')
      expect(codes.toSorted()).toEqual(['saved', 'stale_edit'])
    }
  })
})

describe('chapters and moments', () => {
  it('that two have changed at the same time are saved once', async () => {
    await race(
      async () => {
        const path = `/videos/${await insertVideo()}/chapters`
        const first = { id: null, title: 'Opening', start: 0, end: 10 }
        const added = await call('PATCH', path, { chapters: [first], deleted_ids: [] })
        const from = [{ ...first, id: added.json.data[0]?.id }]
        const edit = (title: string) => ({
          chapters: [{ ...from[0], title }],
          deleted_ids: [],
          from,
        })
        return [
          ['PATCH', path, edit('A')],
          ['PATCH', path, edit('B')],
        ]
      },
      ({ data }) => data.map(({ title }) => title),
    )
  })

  it('are saved when only others have changed, and refused when one was deleted', async () => {
    const path = `/videos/${await insertVideo()}/moments`
    const rows = [
      { id: null, label: 'Goal', timestamp: 5 },
      { id: null, label: 'Foul', timestamp: 9 },
    ]
    const added = await call('PATCH', path, { moments: rows, deleted_ids: [] })
    const from = added.json.data.map(({ id, label, timestamp }) => ({ id, label, timestamp }))
    const [goal, foul] = from
    if (!goal || !foul) throw new Error('no moments')
    const edit = (moments: object[], deleted: number[]) =>
      call('PATCH', path, { moments, deleted_ids: deleted, from })
    expect((await edit([{ ...goal, label: 'First goal' }], [])).status).toBe(200)
    expect((await edit([], [foul.id])).status).toBe(200)
    const stale = await edit([{ ...foul, label: 'Hard foul' }], [])
    expect(stale).toMatchObject({ status: 409, code: 'stale_edit' })
    expect(stale.json.current?.data.map(({ label }) => label)).toEqual(['First goal'])
    expect((await edit([], [goal.id])).code).toBe('stale_edit')
  })
})
