import { beforeAll, describe, expect, it } from 'vitest'
import { recordSecurityEvent } from '../commands/security-events/record-security-event.ts'
import { setUpApiFixture } from '../test/fixtures/api.ts'
import { documentedOperations } from '../test/fixtures/openapi/documented-operations.ts'

const t = setUpApiFixture()
const { call } = t
const LISTS = documentedOperations().filter(({ queryParameters }) =>
  queryParameters.includes('starting_after'),
)

/** The id of an entry of each list, by the account and the list's path. */
const entries = new Map<string, string>()

/** Ids that do not exist in any account. */
const NEVER = { video: '0'.repeat(20), event: `evt_${'0'.repeat(32)}`, row: '2147483647' }
const neverAt = (path: string): string =>
  path === '/v1/videos' ? NEVER.video : path === '/v1/events' ? NEVER.event : NEVER.row

beforeAll(async () => {
  for (const account of [t.ours, t.theirs]) {
    const post = async (path: string, body?: object) =>
      (await call('POST', path, { ...(body && { body }), key: account.key })).json
    await post('/v1/videos', { source_url: t.sourceUrl() })
    await post('/v1/folders', { name: 'A' })
    const url = `${t.outside.baseUrl}/hook`
    const { id } = await post('/v1/webhook-endpoints', { url, events: ['video.ready'] })
    await post(`/v1/webhook-endpoints/${String(id)}/test`)
    await post('/v1/webhook-replays', { since: '2026-01-01T00:00:00Z' })
    await recordSecurityEvent(t.db.em.fork(), {
      accountId: account.id,
      eventType: 'viewer_token_required',
      severity: 'low',
      videoId: null,
      viewerId: null,
    })
    for (const { path } of LISTS) {
      const query = path === '/v1/events' ? '?wait_seconds=25' : ''
      const { json } = await call('GET', path + query, { key: account.key })
      const [entry] = json.data as { id: string | number }[]
      entries.set(`${account.id} ${path}`, String(entry?.id))
    }
  }
})

describe('a list cursor', () => {
  it.each(LISTS.map(({ path }) => path))(
    'of %s is the id of an entry of the account; any other id is 422',
    async (path) => {
      const own = entries.get(`${t.ours.id} ${path}`) ?? ''
      const foreign = entries.get(`${t.theirs.id} ${path}`) ?? ''
      for (const cursor of ['starting_after', 'ending_before']) {
        const isFine = await call('GET', `${path}?${cursor}=${own}`)
        expect(isFine.status).toBe(200)
        for (const id of [foreign, neverAt(path)]) {
          const answer = await call('GET', `${path}?${cursor}=${id}`)
          expect(answer).toMatchObject({ status: 422, code: 'invalid_parameter' })
          expect(answer.json.error?.param).toBe(cursor)
        }
      }
    },
  )
})
