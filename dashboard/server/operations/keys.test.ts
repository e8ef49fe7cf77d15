import { describe, expect, it } from 'vitest'
import { createKey } from '../../../commands/accounts/api-keys.ts'
import { findApiKey } from '../../../db/accounts/api-keys.ts'
import { countAdmissions } from '../../../db/accounts/write-api-keys.ts'
import { hashApiKey } from '../../../security/api-key.ts'
import { createAccountFixture } from '../../../test/fixtures/account.ts'
import { auditRows } from '../../../test/fixtures/audit-log.ts'
import { setUpDashboardFixture } from '../../../test/fixtures/dashboard.ts'

const t = setUpDashboardFixture()
const body = { name: 'Website', scopes: ['videos:read', 'playback:sign', 'videos:read'] }
const create = (headers = {}) => t.call('owner', 'POST', '/keys', { body, headers })
const list = async (query = '') =>
  (await t.call('owner', 'GET', `/keys${query}`)).json.data as Record<string, unknown>[]
const stored = (key: unknown) => findApiKey(t.em(), hashApiKey(String(key)))

describe('POST /keys', () => {
  it('creates a key that works, and shows it in this response only', async () => {
    const { status, json } = await create()
    expect(status).toBe(201)
    expect(json).toMatchObject({
      object: 'api_key',
      account_id: t.accountId,
      name: 'Website',
      scopes: ['videos:read', 'playback:sign'],
      revoked_at: null,
    })
    expect(await stored(json.key)).toMatchObject({ id: json.id, accountId: t.accountId })
    const shown = JSON.stringify([await list(), await auditRows(t, t.accountId), t.logged()])
    expect(shown).not.toContain(String(json.key))
    expect((await auditRows(t, t.accountId)).at(-1)).toMatchObject({
      action: 'api_key.create',
      subject: String(json.id),
      after: { name: 'Website', hint: json.hint, scopes: ['videos:read', 'playback:sign'] },
    })
  })

  it('creates one key for two requests with the same Idempotency-Key', async () => {
    const { length } = await list('?limit=100')
    const [first, second] = [
      await create({ 'Idempotency-Key': 'k' }),
      await create({ 'Idempotency-Key': 'k' }),
    ]
    expect(second.json).toEqual(first.json)
    expect(await list('?limit=100')).toHaveLength(length + 1)
  })

  it.each([
    [{ name: 'A', scopes: [] }, 'scopes'],
    [{ name: 'A', scopes: ['keys:write'] }, 'scopes.0'],
    [{ name: ' ', scopes: ['videos:read'] }, 'name'],
  ])('refuses %j', async (wrong, param) => {
    const response = await t.call('owner', 'POST', '/keys', { body: wrong })
    expect(response).toMatchObject({ status: 422, json: { error: { param } } })
  })
})

describe('GET /keys', () => {
  it('shows the last use to the minute, if it is known', async () => {
    const { json } = await create()
    const lastUse = async () => (await list()).find(({ id }) => id === json.id)?.last_used_at
    expect(await lastUse()).toBeNull()
    const admit = countAdmissions(t.db, { perMinute: 10, perDay: 10 })
    await admit(hashApiKey(String(json.key)))
    const used = Date.parse(String(await lastUse()))
    expect(Math.abs(Date.now() - used)).toBeLessThan(60_000)
  })

  it('has pages, and no key of another account', async () => {
    await create()
    await createKey(t.em(), {
      accountId: t.otherAccountId,
      name: 'theirs',
      scopes: ['videos:read'],
    })
    const all = await list('?limit=100')
    expect(all.map(({ account_id: id }) => id)).toEqual(all.map(() => t.accountId))
    const [newest, next] = all
    expect(await list('?limit=1')).toEqual([newest])
    expect(await list(`?limit=1&starting_after=${String(newest?.id)}`)).toEqual([next])
  })
})

describe('DELETE /keys/{id}', () => {
  it('revokes a key at once, and keeps the time of the first revocation', async () => {
    const { json } = await create()
    const remove = () => t.call('owner', 'DELETE', `/keys/${String(json.id)}`)
    const first = await remove()
    expect(first.json.revoked_at).not.toBeNull()
    expect(await stored(json.key)).toBeNull()
    expect((await remove()).json).toEqual(first.json)
    expect((await auditRows(t, t.accountId)).at(-1)).toMatchObject({
      action: 'api_key.revoke',
      before: { name: 'Website' },
      after: null,
    })
  })

  it('does not find a key of another account', async () => {
    const key = await createKey(t.em(), { accountId: t.otherAccountId, scopes: ['videos:read'] })
    const id = (await stored(key))?.id
    // The ids of keys are integers in the database: the others cannot be one.
    for (const one of [id, 2 ** 31, Number.MAX_SAFE_INTEGER]) {
      const response = await t.call('owner', 'DELETE', `/keys/${one}`)
      expect(response).toMatchObject({ status: 404, code: 'api_key_not_found' })
      const list = await t.call('owner', 'GET', `/keys?starting_after=${one}`)
      expect(list.status).toBe(one === id ? 200 : 422)
      expect(JSON.stringify(list.json)).not.toContain(`"id":${id},`)
    }
    expect(await stored(key)).not.toBeNull()
  })
})

describe('keys', () => {
  it('are for owners with fresh authentication', async () => {
    expect((await t.call('editor', 'GET', '/keys')).code).toBe('insufficient_role')
    expect((await t.call('editor', 'POST', '/keys', { body })).code).toBe('insufficient_role')
    const stale = await t.call('owner', 'POST', '/keys', { body, isStale: true })
    expect(stale).toMatchObject({ status: 403, code: 'reauthentication_required' })
  })

  it('are at most 100 that are not revoked, and those above stay', async () => {
    const { id: accountId } = await createAccountFixture(t.db, t.masterKeys)
    const { email } = await t.insertMember('keys@site.example', 'owner', accountId)
    const [member] = await t.execute<{ id: number }>('select id from member where email = ?', [
      email,
    ])
    const token = await t.startSession(member?.id ?? 0)
    const create = () => t.send('POST', `/api/accounts/${accountId}/keys`, { token, body })
    await t.execute(
      `insert into api_key (account_id, name, hash, hint, scopes)
       select account_id, 'old', md5(n::text || account_id), hint, scopes
       from api_key, generate_series(1, 98) n where account_id = ?`,
      [accountId],
    )
    const statuses = await Promise.all([create(), create(), create()])
    expect(statuses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 422, 422])
    const refused = await create()
    const json = (await refused.json()) as { error: { code: string } }
    expect([refused.status, json.error.code]).toEqual([422, 'too_many_api_keys'])
    await t.execute(`update api_key set revoked_at = now() where account_id = ? and name = 'old'`, [
      accountId,
    ])
    expect((await create()).status).toBe(201)
  })
})
