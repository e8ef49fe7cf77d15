import { describe, expect, it } from 'vitest'
import { revokeKey } from '../commands/accounts/api-keys.ts'
import { appendEvent } from '../commands/events.ts'
import { lockStorage } from '../db/accounts/accounts.ts'
import { findApiKey } from '../db/accounts/api-keys.ts'
import { SCOPES } from '../domain/accounts/scopes.ts'
import { hashApiKey } from '../security/api-key.ts'
import { setUpApiFixture } from '../test/fixtures/api.ts'
import { waitForLock } from '../test/fixtures/locks.ts'
import { until } from '../test/infrastructure/wait-for.ts'

const t = setUpApiFixture()

const execute = <T>(sql: string): Promise<T[]> => t.db.em.fork().execute<T[]>(sql)

describe('an API key that is revoked', () => {
  it('while a request of it waits writes nothing', async () => {
    const key = await t.keyFor(t.ours.id, SCOPES)
    const { id } = (await findApiKey(t.db.em.fork(), hashApiKey(key))) ?? { id: 0 }
    let sent: ReturnType<typeof t.call> | undefined
    await t.db.em.fork().transactional(async (tx) => {
      await revokeKey(tx, id)
      sent = t.call('POST', '/v1/folders', { key, body: { name: 'Autumn' } })
      await waitForLock({ execute })
    })
    expect(await sent).toMatchObject({ status: 401, code: 'invalid_api_key' })
    expect(await execute("select id from folder where name = 'Autumn'")).toEqual([])
  })

  it('while a request of it waits for events learns nothing of later ones', async () => {
    const { id: accountId } = await t.makeAccount()
    const key = await t.keyFor(accountId, ['webhooks:read'])
    const { id } = (await findApiKey(t.db.em.fork(), hashApiKey(key))) ?? { id: 0 }
    const waiting = t.call('GET', '/v1/events?wait_seconds=25', { key })
    const counted = `select 1 from api_key_rate where key_id = ${id}`
    await until(async () => (await execute(counted)).length > 0)
    await revokeKey(t.db.em.fork(), id)
    const data = { id: 'a'.repeat(20), object: 'video' } as const
    await appendEvent(t.db.em.fork(), { accountId, type: 'video.deleted', data })
    expect(await waiting).toMatchObject({ status: 401, code: 'invalid_api_key' })
  })

  it('waits for a write of it that has begun', async () => {
    const key = await t.keyFor(t.ours.id, SCOPES)
    const { id } = (await findApiKey(t.db.em.fork(), hashApiKey(key))) ?? { id: 0 }
    const done: string[] = []
    const acts: Promise<void>[] = []
    const note = (act: Promise<unknown>, name: string) =>
      acts.push(act.then(() => void done.push(name)))
    await execute('update plan set storage_limit_bytes = 1000000000')
    await t.db.em.fork().transactional(async (tx) => {
      await lockStorage(tx, t.ours.id)
      const body = { source_url: t.sourceUrl() }
      note(t.call('POST', '/v1/videos', { key, body }), 'created')
      await waitForLock({ execute })
      note(revokeKey(t.db.em.fork(), id), 'revoked')
      await waitForLock({ execute }, 2)
      expect(done).toEqual([])
    })
    await Promise.all(acts)
    expect(await execute('select id from video')).toHaveLength(1)
  })
})
