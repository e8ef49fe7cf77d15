import { describe, expect, it } from 'vitest'
import { acceptInvitation, createInvitation } from '../../../commands/members/invitations.ts'
import { findRole } from '../../../db/members/members.ts'
import { auditRows } from '../../../test/fixtures/audit-log.ts'
import { setUpDashboardFixture } from '../../../test/fixtures/dashboard.ts'

const t = setUpDashboardFixture()
const invite = (body: object = { role: 'editor' }) =>
  t.call('owner', 'POST', '/invitations', { body })
const list = async () =>
  (await t.call('reader', 'GET', '/invitations')).json.data as Record<string, unknown>[]

const accept = (link: unknown, email: string) =>
  t.em().transactional((tx) =>
    acceptInvitation(tx, new URL(String(link)).hash.slice(1), {
      email,
      name: 'Anna',
      passwordHash: '$argon2id$one',
    }),
  )

describe('POST /invitations', () => {
  it('returns a link that makes a member of the account, and shows it only once', async () => {
    const { status, json } = await invite()
    expect(status).toBe(201)
    expect(String(json.link)).toMatch(new RegExp(`^${t.dashboardBase}/welcome#[\\w-]{43}$`))
    const token = String(json.link).split('#')[1] ?? ''
    const rows = await auditRows(t, t.accountId)
    expect(JSON.stringify([await list(), rows]) + t.logged()).not.toContain(token)
    expect(rows.at(-1)).toMatchObject({
      action: 'invitation.create',
      subject: String(json.id),
      after: { role: 'editor', email: null },
    })
    expect((await list()).map(({ id }) => id)).toContain(json.id)
    const { memberId } = await accept(json.link, 'anna@site.example')
    expect(await findRole(t.em(), t.accountId, memberId)).toBe('editor')
    expect((await list()).map(({ id }) => id)).not.toContain(json.id)
  })

  it('can name who alone may accept it', async () => {
    const { json } = await invite({ role: 'reader', email: ' Cara@Site.Example ' })
    expect(json.email).toBe('cara@site.example')
    await expect(accept(json.link, 'dora@site.example')).rejects.toMatchObject({
      code: 'invitation_not_found',
    })
    await expect(accept(json.link, 'cara@site.example')).resolves.toBeDefined()
  })

  it.each([
    [{ role: 'reader', email: 'nobody' }, 'email'],
    [{ role: 'reader', email: `${'a'.repeat(260)}@site.example` }, 'email'],
    [{ email: 'anna@site.example' }, 'role'],
  ])('refuses %j', async (body, param) => {
    expect(await invite(body)).toMatchObject({ status: 422, json: { error: { param } } })
  })
})

describe('the open invitations of an account', () => {
  const fill = (count: number) =>
    t.execute(
      `insert into invitation (token_hash, account_id, role, invited_by, is_from_operator, expires_at)
       select gen_random_uuid()::text, ?, 'reader', 'owner@site.example', false, now() + interval '1 day'
       from generate_series(1, ?::int)`,
      [t.accountId, count],
    )

  it('are at most 500, also for requests at once, but for links of the operator', async () => {
    await fill(499 - (await list()).length)
    const responses = await Promise.all([invite(), invite()])
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201, 422]))
    expect((await invite()).code).toBe('too_many_invitations')
    expect(await list()).toHaveLength(500)
    const by = { kind: 'operator', id: null, name: 'root' } as const
    const link = await createInvitation(t.em(), {
      accountId: t.accountId,
      role: 'owner',
      email: null,
      by,
    })
    expect(link.token).toMatch(/^[\w-]{43}$/)
    const [{ id = 0 } = {}] = await list()
    await t.execute(
      "update invitation set expires_at = now() where invited_by = 'owner@site.example'",
    )
    expect((await invite()).status).toBe(201)
    expect((await list()).map((one) => one.id)).toContain(id)
  })
})

describe('DELETE /invitations/{id}', () => {
  it('makes the link useless', async () => {
    const { json } = await invite()
    const response = await t.call('owner', 'DELETE', `/invitations/${String(json.id)}`)
    expect(response.json).toEqual({ id: json.id, object: 'invitation', deleted: true })
    await expect(accept(json.link, 'eva@site.example')).rejects.toMatchObject({
      code: 'invitation_not_found',
    })
  })

  it('does not find an invitation of another account', async () => {
    const { json } = await invite()
    const path = `/invitations/${String(json.id)}`
    const response = await t.call('stranger', 'DELETE', path, { accountId: t.otherAccountId })
    expect(response).toMatchObject({ status: 404, code: 'invitation_not_found' })
    expect((await list()).map(({ id }) => id)).toContain(json.id)
  })
})

describe('invitations', () => {
  it('are made by owners with fresh authentication', async () => {
    const body = { role: 'owner' }
    expect((await t.call('editor', 'POST', '/invitations', { body })).code).toBe(
      'insufficient_role',
    )
    const stale = await t.call('owner', 'POST', '/invitations', { body, isStale: true })
    expect(stale.code).toBe('reauthentication_required')
  })
})
