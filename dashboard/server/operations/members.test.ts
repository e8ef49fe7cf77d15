import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { findRole } from '../../../db/members/members.ts'
import { auditRows } from '../../../test/fixtures/audit-log.ts'
import { cookieName, setUpDashboardFixture } from '../../../test/fixtures/dashboard.ts'
import { waitFor } from '../../../test/infrastructure/wait-for.ts'

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

  it('has pages in the order in which they joined, and finds a part of a name or an address', async () => {
    const { id } = await t.insertMember('Zoe.Long@site.example', 'reader', t.otherAccountId)
    for (const name of ['ada', 'bob'])
      await t.insertMember(`${name}@site.example`, 'reader', t.otherAccountId)
    const page = async (query: string) => {
      const path = `/members?${query}`
      const { json } = await t.call('stranger', 'GET', path, { accountId: t.otherAccountId })
      const data = json.data as { id: number; email: string }[]
      return { names: data.map(({ email }) => email.split('@')[0]), more: json.has_more, data }
    }
    const first = await page('limit=2')
    expect(first).toMatchObject({ names: ['stranger', 'Zoe.Long'], more: true })
    const next = await page(`limit=2&starting_after=${id}`)
    expect(next).toMatchObject({ names: ['ada', 'bob'], more: false })
    const back = await page(`limit=2&ending_before=${next.data[1]?.id}`)
    expect(back).toMatchObject({ names: ['Zoe.Long', 'ada'], more: true })
    expect(await page('q=zoe.l')).toMatchObject({ names: ['Zoe.Long'], more: false })
    expect((await page('q=%25')).names).toEqual([])
    // A member of the other account, as one who has left.
    expect((await page(`limit=1&starting_after=${t.members.owner.id}`)).names).toEqual(['stranger'])
  })
})

describe('PATCH /members/{id}', () => {
  it('changes a role, which counts from the next request on', async () => {
    const ben = await t.insertMember('ben@site.example')
    const token = await t.startSession(ben.id)
    const keys = () => t.send('GET', `/api/accounts/${t.accountId}/keys`, { token })
    expect((await keys()).status).toBe(403)
    const change = { body: { role: 'owner' } }
    const response = await t.call('owner', 'PATCH', `/members/${ben.id}`, change)
    expect(response).toMatchObject({ status: 200, json: { id: ben.id, role: 'owner' } })
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
    const response = await t.call('owner', 'PATCH', path, { body: { role: 'admin' } })
    expect(response).toMatchObject({ status: 422, json: { error: { param: 'role' } } })
  })
})

/** Sends an invitation as a member; its last byte follows when the member is removed. */
async function inviteWhileRemoved(memberId: number) {
  const token = await t.startSession(memberId)
  const body = JSON.stringify({ role: 'owner' })
  const sending = request(`${t.base}/api/accounts/${t.accountId}/invitations`, {
    method: 'POST',
    headers: {
      Cookie: `${cookieName(t.dashboardBase)}=${token}`,
      'Sec-Fetch-Site': 'same-origin',
      'Content-Type': 'application/json',
      'Content-Length': body.length,
    },
  })
  const responded = once(sending, 'response')
  // The server notes a request of a session when it lets it in.
  await t.execute(
    `update dashboard_session set last_seen_at = now() - interval '1 hour' where member_id = ?`,
    [memberId],
  )
  sending.write(body.slice(0, -1))
  await waitFor('the request to be let in', async () => {
    const seen = `select 1 from dashboard_session where member_id = ? and last_seen_at > now() - interval '1 minute'`
    return (await t.execute(seen, [memberId])).length > 0
  })
  await t.call('owner', 'DELETE', `/members/${memberId}`)
  sending.end(body.slice(-1))
  const [response] = (await responded) as [IncomingMessage]
  return { status: response.statusCode, text: await text(response) }
}

describe('DELETE /members/{id}', () => {
  it('takes a member out, whose next request is refused', async () => {
    const eva = await t.insertMember('eva@site.example', 'editor')
    const token = await t.startSession(eva.id)
    const response = await t.call('owner', 'DELETE', `/members/${eva.id}`)
    expect(response.json).toEqual({ id: eva.id, object: 'member', deleted: true })
    const next = await t.send('GET', `/api/accounts/${t.accountId}/settings`, { token })
    expect(next.status).toBe(404)
    expect((await auditRows(t, t.accountId)).at(-1)).toMatchObject({
      action: 'member.remove',
      before: { email: eva.email, role: 'editor' },
      after: null,
    })
  })

  it('takes effect on a request whose body is still to come', async () => {
    const fay = await t.insertMember('fay@site.example', 'owner')
    const { status, text: response } = await inviteWhileRemoved(fay.id)
    expect([status, response]).toEqual([404, expect.stringContaining('account_not_found')])
    const left = `select 1 from invitation where invited_by = ?`
    expect(await t.execute(left, [fay.email])).toEqual([])
  })

  it('does not find a member of another account', async () => {
    const { id } = t.members.stranger
    for (const [method, options] of [
      ['DELETE', {}],
      ['PATCH', { body: { role: 'reader' } }],
    ] as const) {
      const response = await t.call('owner', method, `/members/${id}`, options)
      expect(response).toMatchObject({ status: 404, code: 'member_not_found' })
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
