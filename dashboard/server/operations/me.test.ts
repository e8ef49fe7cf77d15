import { describe, expect, it } from 'vitest'
import { listPasskeys } from '../../../db/members/passkeys.ts'
import { insertPasskey } from '../../../db/members/write-passkeys.ts'
import { PASSWORD, setUpDashboardFixture, tokenSetBy } from '../../../test/fixtures/dashboard.ts'
import { waitFor } from '../../../test/infrastructure/wait-for.ts'

const t = setUpDashboardFixture()

/** Calls an operation of /me with the token of a session. */
async function callWith(token: string, method: string, path: string, body?: unknown) {
  const response = await t.send(method, `/api/accounts/${t.accountId}${path}`, { token, body })
  const json = (await response.json()) as Record<string, unknown> & { error?: { code: string } }
  return { status: response.status, json, code: json.error?.code, token: tokenSetBy(response) }
}

const newMember = () => t.insertMember(`${crypto.randomUUID()}@site.example`)

const lastEntry = async (actorId: number) => {
  const [entry] = await t.execute(
    `select account_id, action, subject, before, after from audit_entry where actor_id = ?
     order by id desc limit 1`,
    [actorId],
  )
  return entry
}

describe('GET /me', () => {
  it('shows the member, the accounts and the role here', async () => {
    const { json } = await t.call('editor', 'GET', '/me')
    expect(json).toEqual({
      id: t.members.editor.id,
      object: 'me',
      email: 'editor@site.example',
      name: 'editor',
      account_id: t.accountId,
      role: 'editor',
      accounts: [{ id: t.accountId, name: 'Test', role: 'editor' }],
      is_operator: false,
      workflows_url: null,
      delivery_workflows_url: null,
      direct_play_url: null,
      session_id: expect.any(Number),
      elevated_until: expect.any(String),
      has_password: true,
      has_passkeys: false,
      can_use_passkeys: true,
      dashboard_url: t.dashboardBase,
      failed_sign_ins: null,
    })
  })

  it('says how often a wrong password was entered for the own address, until it is changed', async () => {
    const { id, email } = await newMember()
    const token = await t.startSession(id)
    const failures = async () => (await callWith(token, 'GET', '/me')).json.failed_sign_ins
    const guess = (address: string, ip: string) =>
      t.send('POST', '/sign-in', { form: { email: address, password: 'wrong one', next: '' }, ip })
    for (const ip of ['203.0.113.70', '203.0.113.71', '2001:db8:7::1'])
      expect((await guess(email, ip)).status).toBe(401)
    await guess('unknown@site.example', '203.0.113.70')
    const counted = await waitFor('the guesses', async () => {
      const found = (await failures()) as { count: number; since: string } | null
      return found?.count === 3 && found
    })
    expect(Date.now() - Date.parse(counted.since)).toBeLessThan(60_000)
    // One row, however many guesses; none for the address that no member has.
    expect(await t.execute('select member_id, count from failed_sign_in')).toEqual([
      { member_id: id, count: 3 },
    ])
    expect((await t.call('owner', 'GET', '/me')).json.failed_sign_ins).toBeNull()
    await t.execute(`update failed_sign_in set since = now() - interval '31 days'`)
    expect(await failures()).toBeNull()
    await guess(email, '203.0.113.72')
    await waitFor('the first of another count', async () => {
      const found = (await failures()) as { count: number } | null
      return found?.count === 1
    })
    const body = { password: 'another good password', remove_passkeys: false }
    const changed = await callWith(token, 'POST', '/me/password', body)
    expect(changed.json.failed_sign_ins).toBeNull()
  })

  it('counts no sign-in that the limit of guesses refuses', async () => {
    const { id, email } = await newMember()
    const token = await t.startSession(id)
    const form = { email, password: 'wrong one', next: '' }
    const statuses: number[] = []
    for (let guesses = 0; guesses < 8; guesses += 1)
      statuses.push((await t.send('POST', '/sign-in', { form, ip: '203.0.113.80' })).status)
    expect(statuses.filter((status) => status === 429)).toHaveLength(3)
    await waitFor('the guesses', async () => {
      const { json } = await callWith(token, 'GET', '/me')
      return (json.failed_sign_ins as { count: number } | null)?.count === 5
    })
  })
})

describe('PATCH /me', () => {
  it('changes the name and says so in the audit log', async () => {
    const { id } = await newMember()
    const token = await t.startSession(id)
    const { json } = await callWith(token, 'PATCH', '/me', { name: 'Ben' })
    expect(json.name).toBe('Ben')
    expect(await lastEntry(id)).toEqual({
      account_id: t.accountId,
      action: 'member.rename',
      subject: String(id),
      before: { name: 'reader' },
      after: { name: 'Ben' },
    })
    expect((await callWith(token, 'PATCH', '/me', { name: ' ' })).code).toBe('invalid_parameter')
  })
})

describe('POST /me/elevation', () => {
  it('replaces the token of the session, and the old one is worth nothing', async () => {
    const { id } = await newMember()
    const before = await t.startSession(id, { isStale: true })
    const reply = await callWith(before, 'POST', '/me/elevation', { password: PASSWORD })
    expect(reply.status).toBe(200)
    expect(reply.token).toMatch(/^[\w-]{43}$/)
    expect(reply.token).not.toBe(before)
    expect((await callWith(before, 'GET', '/me')).code).toBe('not_signed_in')
    const me = await callWith(reply.token ?? '', 'GET', '/me')
    expect(me.json.elevated_until).toBe(reply.json.elevated_until)
    expect(Date.parse(String(me.json.elevated_until)) - Date.now()).toBeGreaterThan(590_000)
  })

  it('refuses a wrong password within the limit of guesses', async () => {
    const { id } = await newMember()
    const token = await t.startSession(id, { isStale: true })
    const codes: unknown[] = []
    for (let attempt = 0; attempt < 6; attempt += 1)
      codes.push((await callWith(token, 'POST', '/me/elevation', { password: 'wrong one' })).code)
    expect(codes).toEqual([...Array(5).fill('wrong_credentials'), 'too_many_guesses'])
  })

  it('stores no hash of the password for an Idempotency-Key', async () => {
    const { id } = await newMember()
    const token = await t.startSession(id)
    const response = await t.send('POST', `/api/accounts/${t.accountId}/me/elevation`, {
      body: { password: PASSWORD },
      headers: { 'Idempotency-Key': 'once' },
      token,
    })
    expect(response.status).toBe(200)
    expect(await t.execute('select 1 from idempotency_record')).toEqual([])
  })
})

describe('POST /me/password', () => {
  const password = 'another good password'

  /** A member with a passkey for each name, and a session that the first one has confirmed. */
  async function withPasskeys(names: string[]) {
    const { id, email } = await newMember()
    const ids = names.map((name) => `${name}-${crypto.randomUUID()}`)
    for (const [index, name] of names.entries())
      await insertPasskey(t.em(), {
        id: ids[index] ?? '',
        memberId: id,
        publicKey: new Uint8Array(8),
        counter: 0,
        transports: [],
        name,
      })
    const token = await t.startSession(id)
    await t.execute('update dashboard_session set passkey_id = ? where member_id = ?', [ids[0], id])
    return { id, email, ids, token }
  }

  const namesOf = async (id: number) =>
    (await listPasskeys(t.em(), id)).map(({ name }) => name).toSorted()

  it('removes the passkeys but the one that confirmed, unless it is told to keep them', async () => {
    const { id, ids, token } = await withPasskeys(['Laptop', 'Phone', 'Key'])
    const keep = { password, remove_passkeys: false }
    const kept = await callWith(token, 'POST', '/me/password', keep)
    expect(kept.status).toBe(200)
    expect(await namesOf(id)).toEqual(['Key', 'Laptop', 'Phone'])
    const own = kept.token ?? ''
    expect((await callWith(own, 'POST', '/me/password', { password })).status).toBe(200)
    expect(await namesOf(id)).toEqual(['Laptop'])
    const { before } = (await lastEntry(id)) as { before: { passkeys: object[] } }
    expect(before.passkeys).toHaveLength(2)
    expect(before.passkeys).toContainEqual({ id: ids[1], name: 'Phone' })
  })

  it('removes all passkeys from a session that the password has confirmed', async () => {
    const { id, token } = await withPasskeys(['Laptop'])
    const confirmed = await callWith(token, 'POST', '/me/elevation', { password: PASSWORD })
    const own = confirmed.token ?? ''
    const { json } = await callWith(own, 'POST', '/me/password', { password })
    expect(json.has_passkeys).toBe(false)
    expect(await namesOf(id)).toEqual([])
  })

  it('requires fresh authentication', async () => {
    const { id } = await newMember()
    const token = await t.startSession(id, { isStale: true })
    expect(await callWith(token, 'POST', '/me/password', { password })).toMatchObject({
      status: 403,
      code: 'reauthentication_required',
    })
  })

  it('changes the password, ends the other sessions and replaces the token of this one', async () => {
    const { id, email } = await newMember()
    const [here, there] = [await t.startSession(id), await t.startSession(id)]
    const before = (await callWith(here, 'GET', '/me')).json
    const changed = await callWith(here, 'POST', '/me/password', { password })
    expect(changed.status).toBe(200)
    for (const old of [here, there])
      expect((await callWith(old, 'GET', '/me')).code).toBe('not_signed_in')
    const { session_id, elevated_until } = (await callWith(changed.token ?? '', 'GET', '/me')).json
    expect({ session_id, elevated_until }).toEqual({
      session_id: before.session_id,
      elevated_until: before.elevated_until,
    })
    const signIn = (typed: string) =>
      t.send('POST', '/sign-in', { form: { email, password: typed } })
    expect((await signIn(PASSWORD)).status).toBe(401)
    expect((await signIn(password)).status).toBe(303)
    const [entry] = await t.execute<object>(
      `select before, after from audit_entry where action = 'member.set_password' and actor_id = ?`,
      [id],
    )
    expect(entry).toEqual({ before: null, after: null })
    expect(t.logged()).not.toContain(password)
  })

  it.each([
    'elevenchars',
    'x'.repeat(257),
    '😀'.repeat(129),
    '',
    'password1234',
    'it is Owner@site.example',
  ])('refuses %p', async (refused) => {
    const body = { password: refused }
    expect(await t.call('owner', 'POST', '/me/password', { body })).toMatchObject({
      status: 422,
      code: 'invalid_parameter',
      json: { error: { param: 'password' } },
    })
  })
})

describe('the sessions of a member', () => {
  it('are listed with the current one', async () => {
    const { id } = await newMember()
    const tokens = [await t.startSession(id), await t.startSession(id)]
    const { json } = await callWith(tokens[0] ?? '', 'GET', '/me/sessions')
    const sessions = json.data as { is_current: boolean; ip: string; agent: string }[]
    expect(sessions).toHaveLength(2)
    expect(sessions.filter((session) => session.is_current)).toHaveLength(1)
    expect(JSON.stringify(json)).not.toMatch(/hash|token/)
  })

  it('have pages, and are found by a part of their browser', async () => {
    const { id } = await newMember()
    const tokens: string[] = []
    for (let count = 0; count < 5; count += 1) tokens.push(await t.startSession(id))
    await t.execute(
      `update dashboard_session set agent = 'Firefox/1' where id =
         (select min(id) from dashboard_session where member_id = ?)`,
      [id],
    )
    const page = async (query: string) => {
      const { json } = await callWith(tokens[4] ?? '', 'GET', `/me/sessions?${query}`)
      return { ids: (json.data as { id: number }[]).map((one) => one.id), more: json.has_more }
    }
    const all = (await page('limit=100')).ids
    expect(await page('limit=2')).toEqual({ ids: all.slice(0, 2), more: true })
    expect(await page(`limit=3&starting_after=${all[1]}`)).toEqual({
      ids: all.slice(2),
      more: false,
    })
    expect(await page(`limit=2&ending_before=${all[4]}`)).toEqual({
      ids: all.slice(2, 4),
      more: true,
    })
    expect(await page('q=firefox')).toEqual({ ids: [all.at(-1)], more: false })
    expect((await page('limit=1&starting_after=999999999')).ids).toEqual(all.slice(0, 1))
  })

  it('end at once when they are revoked', async () => {
    const { id } = await newMember()
    const [here, there] = [await t.startSession(id), await t.startSession(id)]
    const other = Number((await callWith(there, 'GET', '/me')).json.session_id)
    const { status, json } = await callWith(here, 'DELETE', `/me/sessions/${other}`)
    expect([status, json]).toEqual([200, { id: other, object: 'session', deleted: true }])
    expect((await callWith(there, 'GET', '/me')).code).toBe('not_signed_in')
    expect(await lastEntry(id)).toMatchObject({ action: 'session.revoke', subject: String(other) })
    expect((await callWith(here, 'DELETE', `/me/sessions/${other}`)).code).toBe('session_not_found')
  })

  it('all end at once except the one that asks for it', async () => {
    const { id } = await newMember()
    const [here, there] = [await t.startSession(id), await t.startSession(id)]
    const end = () => callWith(here, 'DELETE', '/me/sessions?except=current')
    expect((await callWith(here, 'DELETE', '/me/sessions')).code).toBe('invalid_parameter')
    const { json } = await end()
    expect(json).toEqual({ object: 'ended_sessions', ended: 1 })
    expect((await callWith(there, 'GET', '/me')).code).toBe('not_signed_in')
    const entry = { action: 'session.revoke_others', after: { ended: 1 } }
    expect(await lastEntry(id)).toMatchObject(entry)
    expect((await end()).json.ended).toBe(0)
    expect((await t.call('owner', 'GET', '/me')).status).toBe(200)
  })

  it('of another member cannot be ended', async () => {
    const { id } = await newMember()
    const token = await t.startSession(id)
    const sessionId = Number((await callWith(token, 'GET', '/me')).json.session_id)
    expect(await t.call('owner', 'DELETE', `/me/sessions/${sessionId}`)).toMatchObject({
      status: 404,
      code: 'session_not_found',
    })
    expect((await callWith(token, 'GET', '/me')).status).toBe(200)
  })
})
