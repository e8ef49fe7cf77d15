import { beforeAll, describe, expect, it } from 'vitest'
import { setUpApiFixture } from '../test/fixtures/api.ts'

const t = setUpApiFixture()

interface Kind {
  table: string
  path: string
  edit: (value: string) => object
  /** Changes of the row that the object shows, and changes that say nothing of it. */
  shown: string[]
  hidden: string[]
}

const kinds: Kind[] = [
  {
    table: 'video',
    path: '',
    edit: (title) => ({ title }),
    shown: [
      "status = 'playable'",
      "description = 'New'",
      'duration_ms = 7',
      'size_bytes = 7',
      'has_poster = not has_poster',
      'poster_version = poster_version + 1',
      'width = 7, height = 7',
      `warnings = '[{"code": "hdr_converted", "count": 1}]'`,
      "error_code = 'internal_error', error_message = 'y'",
    ],
    hidden: ['reserved_bytes = 7', 'frame_count = 7', 'title = title', 'updated_at = now()'],
  },
  {
    table: 'folder',
    path: '',
    edit: (name) => ({ name }),
    shown: ["name = 'Raw'"],
    hidden: ['updated_at = now()'],
  },
  {
    table: 'webhook_endpoint',
    path: '',
    edit: (description) => ({ description }),
    shown: [
      "url = 'https://b.example/'",
      "description = 'Raw'",
      "events = '{video.failed}'",
      "is_active = false, disabled_reason = 'gone'",
    ],
    hidden: ['failure_count = 7', 'last_success_at = now()', "sealed_secret = 'x'"],
  },
]
const [videos, folders, endpoints] = kinds as [Kind, Kind, Kind]

beforeAll(async () => {
  await renew()
})

/** Makes new objects, and returns the ETags of their creation. */
async function renew(): Promise<(string | null)[]> {
  const name = crypto.randomUUID()
  const made = [
    await t.create({ title: name }),
    await t.call('POST', '/v1/folders', { body: { name } }),
    await t.call('POST', '/v1/webhook-endpoints', {
      body: { url: `${t.outside.baseUrl}/hook`, events: ['video.ready'] },
    }),
  ]
  const paths = ['/v1/videos', '/v1/folders', '/v1/webhook-endpoints']
  for (const [index, kind] of kinds.entries())
    kind.path = `${paths[index]}/${String(made[index]?.json.id)}`
  return made.map(({ headers }) => headers.get('etag'))
}

const etagOf = async ({ path }: Kind) => (await t.call('GET', path)).headers.get('etag') ?? ''
const versionOf = (etag: string) => /^"(\d+)-/.exec(etag)?.[1]
const patch = (kind: Kind, value: string, headers: Record<string, string> = {}) =>
  t.call('PATCH', kind.path, { body: kind.edit(value), headers })
const setRaw = ({ table, path }: Kind, change: string) =>
  t.db.em
    .fork()
    .execute(`update ${table} set ${change} where id::text = ?`, [path.split('/').at(-1)])

describe('an ETag', () => {
  it('is the same in the responses to POST and GET, and new in that to PATCH', async () => {
    const created = await renew()
    for (const [index, kind] of kinds.entries()) {
      const etag = await etagOf(kind)
      expect(etag).toMatch(/^"\d+-[\w-]{16}"$/)
      expect(created[index]).toBe(etag)
      const changed = await patch(kind, 'Once')
      expect(changed.headers.get('etag')).toBe(await etagOf(kind))
      expect(versionOf(await etagOf(kind))).not.toBe(versionOf(etag))
    }
  })

  it.each(kinds)(
    'of a $table has another version after each change that is shown',
    async (kind) => {
      for (const change of kind.shown) {
        const before = await etagOf(kind)
        // As a process of the release before would, which knows no versions.
        await setRaw(kind, change)
        const after = await etagOf(kind)
        expect([change, Number(versionOf(after))]).toEqual([change, Number(versionOf(before)) + 1])
      }
      for (const change of kind.hidden) {
        const before = versionOf(await etagOf(kind))
        await setRaw(kind, change)
        expect([change, versionOf(await etagOf(kind))]).toEqual([change, before])
      }
    },
  )

  it('changes with what the object counts, in the same version', async () => {
    await renew()
    const [video, folder] = [await etagOf(videos), await etagOf(folders)]
    await t.call('POST', `${videos.path}/moments`, { body: { label: 'Here', timestamp: 1 } })
    await t.create({ folder_id: Number(folders.path.split('/').at(-1)) })
    for (const [kind, before] of [
      [videos, video],
      [folders, folder],
    ] as const) {
      const after = await etagOf(kind)
      expect(after).not.toBe(before)
      expect(versionOf(after)).toBe(versionOf(before))
    }
  })
})

describe('If-Match', () => {
  it.each(['patch', 'delete'])(
    'refuses a %s of an older version and changes nothing',
    async (method) => {
      await renew()
      for (const kind of kinds) {
        const older = await etagOf(kind)
        await patch(kind, 'Theirs')
        const body = method === 'patch' ? { body: kind.edit('Mine') } : {}
        for (const tag of [older, `W/${await etagOf(kind)}`, '"other"', `"a, b", ${older}`]) {
          const refused = await t.call(method.toUpperCase(), kind.path, {
            ...body,
            headers: { 'If-Match': tag },
          })
          expect(refused).toMatchObject({ status: 412, code: 'precondition_failed' })
          expect(refused.headers.get('etag')).toBeNull()
        }
        const { json } = await t.call('GET', kind.path)
        expect(json).toMatchObject(kind.edit('Theirs'))
        for (const tag of [`"other", ${await etagOf(kind)}`, '*'])
          expect((await patch(kind, 'Mine', { 'If-Match': tag })).status).toBe(200)
        const current = { 'If-Match': await etagOf(kind) }
        expect((await t.call('DELETE', kind.path, { headers: current })).status).toBe(200)
        expect((await t.call('DELETE', kind.path, { headers: current })).status).toBe(404)
      }
    },
  )

  it('lets one of ten simultaneous changes of one version through', async () => {
    await renew()
    for (const kind of kinds) {
      const headers = { 'If-Match': await etagOf(kind) }
      const values = Array.from({ length: 10 }, (_, index) => `Change ${index}`)
      const responses = await Promise.all(values.map((value) => patch(kind, value, headers)))
      const winners = values.filter((_, index) => responses[index]?.status === 200)
      expect(winners).toHaveLength(1)
      expect(responses.filter(({ status }) => status === 412)).toHaveLength(9)
      expect((await t.call('GET', kind.path)).json).toMatchObject(kind.edit(winners[0] ?? ''))
    }
  })

  it('does not refuse a change because another process has counted something', async () => {
    await renew()
    const before = await etagOf(endpoints)
    await setRaw(endpoints, 'failure_count = 3')
    expect(await etagOf(endpoints)).not.toBe(before)
    expect((await patch(endpoints, 'Mine', { 'If-Match': before })).status).toBe(200)
  })

  it('says that an ETag needs its quotes, and does not find an object of another account', async () => {
    const { status, code, json } = await patch(folders, 'Mine', { 'If-Match': '3-abc' })
    expect([status, code]).toEqual([400, 'invalid_request'])
    expect(json.error?.message).toContain('If-Match')
    const headers = { 'If-Match': '"1-aaaaaaaaaaaaaaaa"' }
    const foreign = { key: t.theirs.key, headers, body: folders.edit('Mine') }
    expect((await t.call('PATCH', folders.path, foreign)).status).toBe(404)
  })

  it.each(['PATCH', 'DELETE'])(
    'of a repeated %s with an Idempotency-Key replays the first response',
    async (method) => {
      await renew()
      for (const kind of kinds) {
        const headers = { 'If-Match': await etagOf(kind), 'Idempotency-Key': crypto.randomUUID() }
        const body = method === 'PATCH' ? { body: kind.edit('Mine') } : {}
        const first = await t.call(method, kind.path, { ...body, headers })
        const again = await t.call(method, kind.path, { ...body, headers })
        expect([first.status, again.status]).toEqual([200, 200])
        expect(again.json).toEqual(first.json)
        expect(again.headers.get('etag')).toBe(first.headers.get('etag'))
        expect(again.headers.get('idempotent-replayed')).toBe('true')
      }
    },
  )
})

describe('If-None-Match', () => {
  it('gets 304 while the object is the same; each counts as a request', async () => {
    await renew()
    for (const kind of kinds) {
      const etag = await etagOf(kind)
      const left = /r=(\d+)/
      let before = Number.POSITIVE_INFINITY
      for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const headers = { 'If-None-Match': tag }
        const same = await t.call('GET', kind.path, { headers })
        expect([same.status, same.json]).toEqual([304, {}])
        expect(same.headers.get('etag')).toBe(etag)
        const now = Number(left.exec(same.headers.get('ratelimit') ?? '')?.[1])
        expect(now).toBeLessThan(before)
        before = now
      }
      await patch(kind, 'New')
      const changed = await t.call('GET', kind.path, { headers: { 'If-None-Match': etag } })
      expect(changed.status).toBe(200)
      expect(changed.json).toMatchObject(kind.edit('New'))
    }
  })
})
