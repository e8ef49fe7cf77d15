import { beforeAll, describe, expect, it } from 'vitest'
import { encodeFailureCode } from '../../domain/playback-reports/failure-code.ts'
import type { Operation } from '../../http/operation.ts'
import { setUpDashboardFixture } from '../../test/fixtures/dashboard.ts'
import { createObjects, type Objects } from '../../test/fixtures/foreign-objects.ts'
import { bodyOf, operationPath, takesBody } from '../../test/fixtures/operation-calls.ts'
import { MOUNTED_OPERATIONS } from './operations.ts'

const t = setUpDashboardFixture()
let ours: Objects
let theirs: Objects

beforeAll(async () => {
  ours = await createObjects(t, 'owner')
  theirs = await createObjects(t, 'stranger')
  for (const id of [...Object.values(ours), ...Object.values(theirs)]) expect(id).not.toBeNaN()
})

/** A call that is refused before it changes anything: its body is no object, or its ids are foreign. */
const harmless = (operation: Operation) => ({
  path: operationPath(operation, [theirs]),
  ...(takesBody(operation) ? { body: [] } : {}),
})

describe('a request that another site causes', () => {
  it.each(MOUNTED_OPERATIONS)('is refused: $id', async (one) => {
    const { path, ...options } = harmless(one)
    const headers = { 'Sec-Fetch-Site': 'same-site' }
    const response = await t.call('owner', one.method.toUpperCase(), path, { ...options, headers })
    expect(response).toMatchObject({ status: 403, code: 'cross_site_request' })
  })
})

describe('an id of another account', () => {
  // Those of operators are about all accounts; operators.test.ts has who may call them.
  const withIds = MOUNTED_OPERATIONS.filter(
    ({ id, params, isForOperators }) =>
      !isForOperators && Object.keys(params).length > 0 && id !== 'getPlaybackReport',
  )

  it('is as one without a report, if it is the code of a report', async () => {
    const read = async (code: unknown) =>
      (await t.call('owner', 'GET', `/v1/playback-reports/${String(code)}`)).json
    const atMs = Date.now()
    const unknown = encodeFailureCode({ cause: 'viewer_revoked', atMs }, 4711)
    const mine = await read(ours.invalid_report_code)
    expect(mine).toMatchObject({ is_stored: true, viewer_id: `viewer-of-${t.accountId}` })
    const foreign = await read(theirs.invalid_report_code)
    const without = { code: '', created_at: '' }
    expect({ ...foreign, ...without }).toEqual({ ...(await read(unknown)), ...without })
    expect(foreign).toMatchObject({ is_stored: false, viewer_id: null, host: null })
  })

  it.each(withIds)('is not found: $id', async (operation) => {
    const before = await fingerprint()
    const body = takesBody(operation) ? { body: bodyOf(operation) } : {}
    const codes = Object.values(operation.params).map(({ notFound }) => notFound)
    // All ids foreign; and the last one alone, below an object of the own account.
    for (const objects of [[theirs], [ours, theirs]].slice(0, codes.length)) {
      const path = operationPath(operation, objects)
      const response = await t.call('owner', operation.method.toUpperCase(), path, body)
      // A caption has no id of its own: its language names it within a video.
      if (path.includes(String(ours.video_not_found)) && codes.includes('caption_not_found'))
        continue
      expect(response.status).toBe(404)
      expect(codes).toContain(response.code)
    }
    expect(await fingerprint()).toEqual(before)
  })
})

describe('an id of another account in a body', () => {
  const since = new Date(Date.now() - 3_600_000).toISOString()
  const video = () => String(ours.video_not_found)
  const chapter = { title: 'Mine', start: 20, end: 30 }
  const moment = { label: 'Mine', timestamp: 20 }
  const BODY_IDS: [string, string, () => string, () => object, number][] = [
    [
      'the folder of a video',
      'PATCH',
      () => `/v1/videos/${video()}`,
      () => ({ folder_id: theirs.folder_not_found }),
      400,
    ],
    [
      'the folder of moved videos',
      'POST',
      () => '/videos/move',
      () => ({ ids: [video()], folder_id: theirs.folder_not_found }),
      400,
    ],
    [
      'one of the moved videos',
      'POST',
      () => '/videos/move',
      () => ({ ids: [video(), theirs.video_not_found], folder_id: null }),
      404,
    ],
    [
      'one of the deleted videos',
      'POST',
      () => '/videos/delete',
      () => ({ ids: [video(), theirs.video_not_found] }),
      404,
    ],
    [
      'the folder of the deleted videos',
      'POST',
      () => '/videos/delete',
      () => ({ filter: { folder_id: theirs.folder_not_found }, expected_count: 1 }),
      409,
    ],
    [
      'a deleted chapter',
      'PATCH',
      () => `/videos/${video()}/chapters`,
      () => ({ chapters: [], deleted_ids: [theirs.chapter_not_found] }),
      200,
    ],
    [
      'a changed chapter, which becomes a new one',
      'PATCH',
      () => `/videos/${video()}/chapters`,
      () => ({ chapters: [{ ...chapter, id: theirs.chapter_not_found }], deleted_ids: [] }),
      200,
    ],
    [
      'a deleted moment',
      'PATCH',
      () => `/videos/${video()}/moments`,
      () => ({ moments: [], deleted_ids: [theirs.moment_not_found] }),
      200,
    ],
    [
      'a changed moment, which becomes a new one',
      'PATCH',
      () => `/videos/${video()}/moments`,
      () => ({ moments: [{ ...moment, id: theirs.moment_not_found }], deleted_ids: [] }),
      200,
    ],
    [
      'the endpoint of a replay',
      'POST',
      () => '/v1/webhook-replays',
      () => ({ since, endpoint_id: theirs.webhook_endpoint_not_found }),
      404,
    ],
    [
      'the video of a preview',
      'POST',
      () => '/preview-tickets',
      () => ({ video_id: theirs.video_not_found }),
      404,
    ],
  ]

  it.each(BODY_IDS)('changes nothing there: %s', async (_what, method, path, body, status) => {
    const before = await fingerprint()
    const response = await t.call('owner', method, path(), { body: body() })
    expect([response.status, response.code]).toEqual([
      status,
      [400, 404].includes(status) ? expect.stringContaining('_not_found') : response.code,
    ])
    expect(await fingerprint()).toEqual(before)
    expect((await t.call('owner', 'GET', `/v1/videos/${video()}`)).status).toBe(200)
  })
})

describe('an id of another account in a query', () => {
  /** Operations whose query names objects, with the field of each. */
  const FILTERS: [path: string, field: string, kind: keyof Objects][] = [
    ['/videos', 'folder_id', 'folder_not_found'],
    ['/progress', 'ids', 'video_not_found'],
    ['/playing', 'video_id', 'video_not_found'],
    ['/security-events', 'video_id', 'video_not_found'],
    ['/v1/security-events', 'video_id', 'video_not_found'],
    ['/webhook-deliveries', 'endpoint_id', 'webhook_endpoint_not_found'],
    ['/webhook-deliveries', 'event_id', 'event_not_found'],
    ['/webhook-deliveries', 'replay_id', 'webhook_replay_not_found'],
  ]

  it.each(FILTERS)('finds nothing: %s?%s=', async (path, field, kind) => {
    const query = `${field}=${theirs[kind]}`
    const { status, json } = await t.call('owner', 'GET', `${path}?${query}`)
    expect([status, json.data]).toEqual([200, []])
  })

  it('counts nothing for a replay', async () => {
    const since = new Date(Date.now() - 3_600_000).toISOString()
    const query = `since=${since}&endpoint_id=${theirs.webhook_endpoint_not_found}`
    const response = await t.call('owner', 'GET', `/webhook-replay-preview?${query}`)
    expect(response).toMatchObject({ status: 404, code: 'webhook_endpoint_not_found' })
  })

  /** The object whose id is the cursor of a list. */
  const CURSORS: [path: string, kind: keyof Objects][] = [
    ['/videos', 'video_not_found'],
    ['/keys', 'api_key_not_found'],
    ['/v1/folders', 'folder_not_found'],
    ['/v1/uploads', 'upload_not_found'],
    ['/v1/imports', 'import_not_found'],
    ['/v1/webhook-endpoints', 'webhook_endpoint_not_found'],
    ['/webhook-deliveries', 'webhook_delivery_not_found'],
    ['/v1/webhook-replays', 'webhook_replay_not_found'],
    ['/v1/events', 'event_not_found'],
  ]

  it.each(CURSORS)('is a position as a number, and otherwise no cursor: %s', async (path, kind) => {
    const all = (await t.call('owner', 'GET', path)).json.data as { id: number }[]
    for (const cursor of ['starting_after', 'ending_before']) {
      const { status, json } = await t.call('owner', 'GET', `${path}?${cursor}=${theirs[kind]}`)
      const isBeyond = ({ id }: { id: number }) =>
        cursor === 'starting_after' ? id < Number(theirs[kind]) : id > Number(theirs[kind])
      if (typeof theirs[kind] === 'number')
        expect([status, json.data]).toEqual([200, all.filter(isBeyond)])
      else expect([status, json.error?.param]).toEqual([422, cursor])
    }
  })

  it('leaves out no list with a cursor that another test does not name', () => {
    // Their cursors are not ids of objects of the fixture: rows of logs, viewer ids, and lists whose foreign cursor is the beginning.
    const others = [
      '/members',
      '/me/sessions',
      '/audit',
      '/payments',
      '/security-events',
      '/v1/security-events',
      '/viewers',
      // Tests of their operations have their cursors.
      '/v1/viewers',
      '/v1/viewer-progress',
      '/v1/imports/{id}/lines',
    ]
    const known = [...CURSORS.map(([path]) => path), ...others]
    const lists = MOUNTED_OPERATIONS.filter(({ query }) => query && 'starting_after' in query.shape)
    expect(lists.map(({ path }) => path).toSorted()).toEqual(known.toSorted())
  })
})

const OWNED = [
  'video',
  'folder',
  'webhook_endpoint',
  'webhook_delivery',
  'webhook_replay',
  'event',
  'api_key',
  'invitation',
  'membership',
  'plan',
  'playback_record',
  'saved_view',
  'poster_upload',
  'revoked_viewer',
  'security_event',
  'viewer',
  'viewer_progress',
].map((table) => [table, 'account_id = ?'] as const)

const OF_VIDEOS = ['caption', 'chapter', 'moment', 'rendition', 'content_key'].map(
  (table) => [table, 'video_id in (select id from video where account_id = ?)'] as const,
)

const OF_MEMBERS = [
  ['passkey', 'member_id in (select member_id from membership where account_id = ?)'],
  ['member', 'id in (select member_id from membership where account_id = ?)'],
  ['account', 'id = ?'],
] as const

/** A digest of what the other account has. */
const fingerprint = (): Promise<string[]> =>
  Promise.all(
    [...OWNED, ...OF_VIDEOS, ...OF_MEMBERS].map(([table, where]) => digestOf(table, where)),
  )

async function digestOf(table: string, where: string): Promise<string> {
  const [row] = await t.execute<{ digest: string }>(
    `select md5(coalesce(string_agg(r::text, ',' order by r::text), '')) as digest
     from ${table} r where ${where}`,
    [t.otherAccountId],
  )
  return `${table} ${row?.digest}`
}
