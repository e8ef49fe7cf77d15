import { beforeAll, describe, expect, it } from 'vitest'
import { recordSecurityEvent } from '../commands/security-events/record-security-event.ts'
import { endReplay } from '../db/webhooks/write-webhook-replays.ts'
import type { AccountFixture } from '../test/fixtures/account.ts'
import { setUpApiFixture } from '../test/fixtures/api.ts'
import { documentedOperations } from '../test/fixtures/openapi/documented-operations.ts'
import { insertProgress } from '../test/fixtures/watched.ts'

const t = setUpApiFixture()
const { call } = t
/** But for lists below an object: the tests of their operations have their cursors. */
const LISTS = documentedOperations().filter(
  ({ path, queryParameters }) => queryParameters.includes('starting_after') && !path.includes('{'),
)

/** The ids of the entries of each list, newest first, by the account and the list's path. */
const entries = new Map<string, string[]>()

const PERIOD = '/v1/webhook-deliveries?since=2026-01-01T00:00:00Z'
const isText = (path: string) => path === '/v1/videos' || path === '/v1/events'
/** Ids that no account has, of the lists whose ids do not say their order. */
const never = (path: string): string =>
  path === '/v1/videos' ? '0'.repeat(20) : `evt_${'0'.repeat(32)}`

async function idsIn(path: string, query: string, key = t.ours.key): Promise<string[]> {
  const { status, json } = await call('GET', path + (path.includes('?') ? '&' : '?') + query, {
    key,
  })
  expect(status).toBe(200)
  return (json.data as { id: string | number }[]).map(({ id }) => String(id))
}

/** Adds an entry to each list of an account. */
async function addEntries({ id: accountId, key }: AccountFixture, name: string): Promise<void> {
  const post = async (path: string, body?: object) =>
    (await call('POST', path, { ...(body && { body }), key })).json
  const { id: videoId } = await post('/v1/videos', { source_url: t.sourceUrl() })
  await post('/v1/folders', { name })
  await post('/v1/uploads', { filename: name, size_bytes: 1 })
  await post('/v1/imports', { lines: [{ source_url: t.sourceUrl() }] })
  const url = `${t.outside.baseUrl}/hook`
  const { id } = await post('/v1/webhook-endpoints', { url, events: ['video.ready'] })
  await post(`/v1/webhook-endpoints/${String(id)}/test`)
  const { id: replay } = await post('/v1/webhook-replays', { since: '2026-01-01T00:00:00Z' })
  const viewerId = `viewer-${name}`
  await insertProgress(t.db, { accountId, viewerId, videoId: String(videoId) })
  await endReplay(t.db.em.fork(), Number(replay), 'completed')
  const event = { eventType: 'viewer_token_required', severity: 'low' } as const
  const where = { accountId, videoId: null, viewerId: null }
  await recordSecurityEvent(t.db.em.fork(), { ...event, ...where })
}

beforeAll(async () => {
  await addEntries(t.ours, 'Older')
  await addEntries(t.theirs, 'Older')
  await addEntries(t.ours, 'Newer')
  for (const account of [t.ours, t.theirs])
    for (const path of [...LISTS.map((list) => list.path), PERIOD]) {
      const query = path === '/v1/events' ? 'wait_seconds=25' : 'limit=100'
      entries.set(`${account.id} ${path}`, await idsIn(path, query, account.key))
    }
})

describe('a list cursor', () => {
  const paths = LISTS.map(({ path }) => path)

  it.each([...paths.filter((path) => !isText(path)), PERIOD])(
    'of %s is a position among the entries of the account, also as an id of another account or of none',
    async (path) => {
      const own = entries.get(`${t.ours.id} ${path}`) ?? []
      const foreign = entries.get(`${t.theirs.id} ${path}`)?.[0] ?? ''
      const isNewer = (id: string) => Number(id) > Number(foreign)
      const [older, newer] = [own.filter((id) => !isNewer(id)), own.filter(isNewer)]
      expect([older.length, newer.length]).toEqual([1, 1])
      expect(await idsIn(path, `starting_after=${foreign}`)).toEqual(older)
      expect(await idsIn(path, `ending_before=${foreign}`)).toEqual(newer)
      for (const id of own) {
        expect(await idsIn(path, `starting_after=${id}`)).toEqual(id === own[0] ? older : [])
        expect(await idsIn(path, `ending_before=${id}`)).toEqual(id === own[0] ? [] : newer)
      }
      const largest = Number.MAX_SAFE_INTEGER
      expect(await idsIn(path, `starting_after=${largest}`)).toEqual(own)
      expect(await idsIn(path, `ending_before=${largest}`)).toEqual([])
      expect(await idsIn(path, 'ending_before=1')).toEqual(own)
      expect(await idsIn(path, 'starting_after=1')).toEqual([])
    },
  )

  it.each(paths.filter(isText))(
    'of %s, whose ids have no order, is the id of an entry of the account; any other id is 422',
    async (path) => {
      const [own = ''] = entries.get(`${t.ours.id} ${path}`) ?? []
      const [foreign = ''] = entries.get(`${t.theirs.id} ${path}`) ?? []
      for (const cursor of ['starting_after', 'ending_before']) {
        await idsIn(path, `${cursor}=${own}`)
        const [ofThem, ofNone] = [
          await call('GET', `${path}?${cursor}=${foreign}`),
          await call('GET', `${path}?${cursor}=${never(path)}`),
        ]
        expect(ofThem).toMatchObject({ status: 422, code: 'invalid_parameter' })
        expect(ofThem.json.error?.param).toBe(cursor)
        const { request_id: _own, ...error } = ofThem.json.error ?? {}
        expect(ofNone.json.error).toMatchObject(error)
      }
    },
  )

  it.each(paths)('of %s that is no id of its kind is 422', async (path) => {
    for (const cursor of ['starting_after=0', 'ending_before=1.5', 'starting_after=evt_1'])
      expect((await call('GET', `${path}?${cursor}`)).code).toBe('invalid_parameter')
  })

  it('remains valid when its entry is deleted while a client reads the pages', async () => {
    for (const [path, code] of [
      ['/v1/videos', 'video_not_found'],
      ['/v1/folders', 'folder_not_found'],
      ['/v1/webhook-endpoints', 'webhook_endpoint_not_found'],
    ] as const) {
      const [newest = '', oldest] = await idsIn(path, 'limit=2')
      expect((await call('DELETE', `${path}/${newest}`)).status).toBe(200)
      expect((await call('GET', `${path}/${newest}`)).code).toBe(code)
      expect(await idsIn(path, `starting_after=${newest}`)).toEqual([oldest])
    }
    const path = '/v1/webhook-deliveries'
    const [gone = '', present] = entries.get(`${t.ours.id} ${path}`) ?? []
    for (const period of ['', '&since=2026-01-01T00:00:00Z'])
      expect(await idsIn(path, `starting_after=${gone}${period}`)).toEqual([present])
  })
})
