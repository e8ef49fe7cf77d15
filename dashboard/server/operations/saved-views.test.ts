import { beforeEach, describe, expect, it } from 'vitest'
import { deleteMembership, putMembership } from '../../../db/members/write-members.ts'
import { setUpDashboardFixture } from '../../../test/fixtures/dashboard.ts'

const t = setUpDashboardFixture()

interface View {
  id: number
  name: string
  search: Record<string, string>
}

type Person = 'owner' | 'editor' | 'reader' | 'stranger'

const PATH = '/me/saved-views'
const search = { status: 'ready', tag: 'Lab', key: 'course', value: '7', sort: 'title' }

const save = (person: Person, name: string, what: object = search) =>
  t.call(person, 'POST', PATH, { body: { name, search: what } })

const list = async (person: Person): Promise<View[]> =>
  (await t.call(person, 'GET', PATH)).json.data as View[]

const names = async (person: Person): Promise<string[]> =>
  (await list(person)).map(({ name }) => name)

beforeEach(async () => {
  await t.execute('delete from saved_view')
})

describe('the saved views of a member', () => {
  it('are saved by every role, and are listed by name', async () => {
    for (const person of ['owner', 'editor', 'reader'] as const) {
      const { status, json } = await save(person, 'Second')
      expect([status, json]).toEqual([
        201,
        expect.objectContaining({ object: 'saved_view', name: 'Second', search }),
      ])
      await save(person, 'First', {})
      expect(await names(person)).toEqual(['First', 'Second'])
    }
  })

  it('are seen, changed and deleted by that member alone', async () => {
    const { json } = await save('owner', 'Mine')
    const path = `${PATH}/${String(json.id)}`
    expect(await names('reader')).toEqual([])
    for (const [method, options] of [
      ['PATCH', { body: { name: 'Theirs' } }],
      ['DELETE', {}],
    ] as const)
      expect(await t.call('reader', method, path, options)).toMatchObject({
        status: 404,
        code: 'saved_view_not_found',
      })
    expect(await names('owner')).toEqual(['Mine'])
  })

  it('are renamed, get other filters, and are deleted', async () => {
    const { json } = await save('reader', 'Old')
    const path = `${PATH}/${String(json.id)}`
    const renamed = await t.call('reader', 'PATCH', path, { body: { name: 'New' } })
    expect(renamed.json).toMatchObject({ name: 'New', search })
    const other = { q: 'night' }
    const changed = await t.call('reader', 'PATCH', path, { body: { search: other } })
    expect(changed.json).toMatchObject({ name: 'New', search: other })
    expect((await t.call('reader', 'DELETE', path)).json).toMatchObject({ deleted: true })
    expect((await t.call('reader', 'DELETE', path)).code).toBe('saved_view_not_found')
    expect(await names('reader')).toEqual([])
  })

  it('have each name once, also when two are saved at the same time', async () => {
    const both = await Promise.all([save('owner', 'Same'), save('owner', 'Same')])
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([201, 409]))
    expect(both.find(({ status }) => status === 409)?.code).toBe('saved_view_exists')
    const { json } = await save('owner', 'Other')
    const rename = { body: { name: 'Same' } }
    const refused = await t.call('owner', 'PATCH', `${PATH}/${String(json.id)}`, rename)
    expect(refused).toMatchObject({ status: 409, code: 'saved_view_exists' })
    expect((await save('editor', 'Same')).status).toBe(201)
  })

  it('are at most 50, also when several are saved at the same time', async () => {
    await t.execute(
      `insert into saved_view (account_id, member_id, name, search)
       select ?, ?, 'View ' || n, '{}' from generate_series(1, 48) n`,
      [t.accountId, t.members.owner.id],
    )
    const five = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => save('owner', name)))
    expect(five.filter(({ status }) => status === 201)).toHaveLength(2)
    for (const { status, code } of five)
      if (status !== 201) expect([status, code]).toEqual([422, 'too_many_saved_views'])
    expect((await save('reader', 'Another member')).status).toBe(201)
  })

  it('go with the membership', async () => {
    const { id: memberId } = t.members.editor
    await save('editor', 'Gone')
    await deleteMembership(t.db.em.fork(), t.accountId, memberId)
    const rows = await t.execute('select from saved_view where member_id = ?', [memberId])
    await putMembership(t.db.em.fork(), { accountId: t.accountId, memberId, role: 'editor' })
    expect(rows).toEqual([])
  })

  it.each([
    ['an empty name', { name: ' ', search }],
    ['a name that is too long', { name: 'x'.repeat(81), search }],
    ['a page', { name: 'x', search: { after: '0'.repeat(20) } }],
    ['a value that is no text', { name: 'x', search: { min_seconds: 5 } }],
    ['a value that is too long', { name: 'x', search: { q: 'x'.repeat(501) } }],
  ])('are refused with %s', async (_what, body) => {
    const { status } = await t.call('owner', 'POST', PATH, { body })
    expect([400, 422]).toContain(status)
  })
})
