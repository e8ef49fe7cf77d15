import { beforeAll, describe, expect, it } from 'vitest'
import { appendAuditEntry } from '../../../commands/audit.ts'
import { AUDIT_ACTIONS } from '../../../domain/accounts/audit-actions.ts'
import type { Actor } from '../../../domain/accounts/audit.ts'
import { setUpDashboardFixture } from '../../../test/fixtures/dashboard.ts'
import { MOUNTED_OPERATIONS } from '../operations.ts'

const t = setUpDashboardFixture()
const operator: Actor = { kind: 'operator', id: null, name: 'root' }
const key: Actor = { kind: 'key', id: 7, name: 'Website' }

const list = async (query = '') =>
  (await t.call('owner', 'GET', `/audit${query}`)).json as unknown as {
    data: { id: number; action: string }[]
    has_more: boolean
  }
const actions = async (query: string) => (await list(query)).data.map(({ action }) => action)

beforeAll(async () => {
  const add = (actor: Actor, action: string, subject: string, accountId = t.accountId) =>
    appendAuditEntry(t.em(), accountId, actor, {
      action,
      subject,
      before: { title: 'Old' },
      after: { title: 'New' },
    })
  await add(operator, 'plan.update', '')
  await add(key, 'video.update', 'aaa')
  await add(key, 'video.delete', 'bbb')
  await add(operator, 'plan.update', '', t.otherAccountId)
  await t.execute(
    `update audit_entry set created_at = '2026-03-01T12:00:00Z' where subject = 'aaa'`,
  )
})

describe('GET /audit', () => {
  it('lists the changes of the account, newest first, with their states', async () => {
    const { data, has_more: hasMore } = await list()
    expect(data.map(({ action }) => action)).toEqual([
      'video.delete',
      'video.update',
      'plan.update',
    ])
    expect(hasMore).toBe(false)
    expect(data[1]).toEqual({
      id: expect.any(Number),
      object: 'audit_entry',
      actor: { kind: 'key', id: 7, name: 'Website' },
      action: 'video.update',
      subject: 'aaa',
      before: { title: 'Old' },
      after: { title: 'New' },
      request_id: null,
      created_at: '2026-03-01T12:00:00.000+00:00',
    })
  })

  it.each([
    ['?action=video.update', ['video.update']],
    ['?subject=bbb', ['video.delete']],
    ['?actor_kind=operator', ['plan.update']],
    ['?actor_kind=key&actor_id=7', ['video.delete', 'video.update']],
    ['?actor_id=8', []],
    ['?until=2026-03-01T12:00:00.001Z', ['video.update']],
    ['?until=2026-03-01T12:00:00Z', []],
    ['?since=2026-03-01T12:00:00Z&until=2026-03-02T00:00:00Z', ['video.update']],
  ])('filters by %s', async (query, expected) => {
    expect(await actions(query)).toEqual(expected)
  })

  it('has pages', async () => {
    const first = await list('?limit=2')
    expect(first.has_more).toBe(true)
    const rest = await list(`?limit=2&starting_after=${first.data[1]?.id}`)
    expect(rest.data.map(({ action }) => action)).toEqual(['plan.update'])
    const back = await list(`?limit=2&ending_before=${rest.data[0]?.id}`)
    expect(back.data).toEqual(first.data)
  })

  it('takes the id of an entry of another account as a position among its own', async () => {
    const [theirs] = await t.execute<{ id: number }>(
      'select id from audit_entry where account_id = ?',
      [t.otherAccountId],
    )
    const all = await list('')
    const before = await list(`?starting_after=${Number(theirs?.id)}`)
    const older = all.data.filter(({ id }) => id < Number(theirs?.id))
    expect(before.data).toEqual(older)
  })

  it('is for owners', async () => {
    expect((await t.call('editor', 'GET', '/audit')).code).toBe('insufficient_role')
  })
})

describe('a page of entries that are long', () => {
  it('ends before it has more than 4 MiB of them, and the next pages have the others', async () => {
    const rows = await t.execute<{ id: number }>(
      `insert into audit_entry (account_id, actor_kind, actor_name, action, subject, before, after)
       select ?, 'operator', 'root', 'chapter.save', '', states, states
       from generate_series(1, 12), (select jsonb_build_object('data', repeat('x', 524288)) as states) s
       returning id`,
      [t.otherAccountId],
    )
    const newestFirst = rows.map(({ id }) => Number(id)).toReversed()
    const page = async (cursor: string) => {
      const path = `/audit?action=chapter.save&limit=100${cursor}`
      const { json } = await t.call('stranger', 'GET', path, { accountId: t.otherAccountId })
      return { ids: (json.data as { id: number }[]).map(({ id }) => id), hasMore: json.has_more }
    }
    const read = async (next: (ids: number[]) => string) => {
      const pages = [await page(next([]))]
      while (pages.at(-1)?.hasMore === true) {
        expect(pages.at(-1)?.ids.length).toBeLessThanOrEqual(4)
        pages.push(await page(next(pages.at(-1)?.ids ?? [])))
      }
      return pages.map(({ ids }) => ids)
    }
    const older = await read((ids) => (ids.length > 0 ? `&starting_after=${ids.at(-1)}` : ''))
    expect(older.flat()).toEqual(newestFirst)
    expect(older.length).toBeGreaterThan(1)
    const newer = await read((ids) => `&ending_before=${ids[0] ?? newestFirst.at(-1)}`)
    expect(newer.toReversed().flat()).toEqual(newestFirst.slice(0, -1))
  })
})

describe('the actions that the dashboard names', () => {
  it('are all that its operations write', () => {
    const known: readonly string[] = AUDIT_ACTIONS
    const written = MOUNTED_OPERATIONS.flatMap(({ audit }) => (audit ? [audit.action] : []))
    expect(written.filter((action) => !known.includes(action))).toEqual([])
  })
})
