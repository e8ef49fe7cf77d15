import { describe, expect, it } from '@jest/globals'
import { findRole } from '../../../db/members.ts'
import { auditRows } from '../../../test/fixtures/audit-log.ts'
import { setUpDashboardFixture } from '../../../test/fixtures/dashboard.ts'

const t = setUpDashboardFixture()

describe('GET /members', () => {
  it('lists the members of the account, and none of another', async () => {
    const { status, json } = await t.call('reader', 'GET', '/members')
    expect(status).toBe(200)
    const data = json.data as { email: string; role: string }[]
    expect(data.map(({ email, role }) => [email, role])).toEqual([
      ['owner@site.example', 'owner'],
      ['editor@site.example', 'editor'],
      ['reader@site.example', 'reader'],
    ])
    expect(JSON.stringify(json)).not.toContain('argon2')
  })
})

describe('PATCH /members/{id}', () => {
  it('changes a role, which counts from the next request on', async () => {
    const ben = await t.insertMember('ben@site.example')
    const token = await t.startSession(ben.id)
    const keys = () => t.send('GET', `/api/accounts/${t.accountId}/keys`, { token })
    expect((await keys()).status).toBe(403)
    const change = { body: { role: 'owner' } }
    const answer = await t.call('owner', 'PATCH', `/members/${ben.id}`, change)
    expect(answer).toMatchObject({ status: 200, json: { id: ben.id, role: 'owner' } })
    expect((await keys()).status).toBe(200)
    expect((await auditRows(t, t.accountId)).at(-1)).toMatchObject({
      action: 'member.update',
      subject: String(ben.id),
      before: { role: 'reader' },
      after: { role: 'owner' },
    })
    await t.call('owner', 'DELETE', `/members/${ben.id}`)
  })

  it('refuses the last owner', async () => {
    const path = `/members/${t.members.owner.id}`
    const demote = await t.call('owner', 'PATCH', path, { body: { role: 'reader' } })
    expect(demote).toMatchObject({ status: 409, code: 'last_owner' })
    expect(await t.call('owner', 'DELETE', path)).toMatchObject({ code: 'last_owner' })
  })

  it('refuses an unknown role', async () => {
    const path = `/members/${t.members.reader.id}`
    const answer = await t.call('owner', 'PATCH', path, { body: { role: 'admin' } })
    expect(answer).toMatchObject({ status: 422, json: { error: { param: 'role' } } })
  })
})

describe('DELETE /members/{id}', () => {
  it('takes a member out, whose next request is refused', async () => {
    const eva = await t.insertMember('eva@site.example', 'editor')
    const token = await t.startSession(eva.id)
    const answer = await t.call('owner', 'DELETE', `/members/${eva.id}`)
    expect(answer.json).toEqual({ id: eva.id, object: 'member', deleted: true })
    const next = await t.send('GET', `/api/accounts/${t.accountId}/settings`, { token })
    expect(next.status).toBe(404)
    expect((await auditRows(t, t.accountId)).at(-1)).toMatchObject({
      action: 'member.remove',
      before: { email: eva.email, role: 'editor' },
      after: null,
    })
  })

  it('does not find a member of another account', async () => {
    const { id } = t.members.stranger
    for (const [method, options] of [
      ['DELETE', {}],
      ['PATCH', { body: { role: 'reader' } }],
    ] as const) {
      const answer = await t.call('owner', method, `/members/${id}`, options)
      expect(answer).toMatchObject({ status: 404, code: 'member_not_found' })
    }
    expect(await findRole(t.em(), t.otherAccountId, id)).toBe('owner')
  })
})

describe('members', () => {
  it('are changed by owners with fresh authentication', async () => {
    const path = `/members/${t.members.reader.id}`
    const change = { body: { role: 'owner' } }
    expect((await t.call('editor', 'PATCH', path, change)).code).toBe('insufficient_role')
    expect((await t.call('editor', 'DELETE', path)).code).toBe('insufficient_role')
    const stale = await t.call('owner', 'PATCH', path, { ...change, isStale: true })
    expect(stale.code).toBe('reauthentication_required')
    const left = await t.call('owner', 'DELETE', path, { isStale: true })
    expect(left.code).toBe('reauthentication_required')
  })
})
