import { MockActivityEnvironment } from '@temporalio/testing'
import { describe, expect, it } from 'vitest'
import { removeRecordStore } from '../../commands/xapi/record-stores.ts'
import { listDueStores } from '../../db/xapi/record-stores.ts'
import { setUpRecordStoreFixture } from '../../test/fixtures/record-store.ts'
import { withDeps } from '../deps.ts'
import { purgeDeliveries } from '../upkeep/purge-history.ts'

const t = setUpRecordStoreFixture()

const watchMany = async (count: number): Promise<void> => {
  for (let viewer = 0; viewer < count; viewer += 1) await t.watch({ viewerId: `viewer ${viewer}` })
}
const due = () => listDueStores(t.em())
/** How long the account waits, in minutes. */
const waitMinutes = async (): Promise<number> =>
  Math.round((Number((await t.row()).nextAttemptAt) - Date.now()) / 60_000)
const makeDue = () => t.execute('update record_store set next_attempt_at = now()')

describe('the statements of an account', () => {
  it('are sent in their order, and are gone once the record store has them', async () => {
    await t.set()
    await watchMany(5)
    const ids = (await t.waiting()).map(({ id }) => id)
    expect(await t.send(3)).toEqual({ outcome: 'more', limit: 6 })
    expect(await t.sendAll()).toBe(2)
    expect(t.store.requests).toEqual([ids.slice(0, 3), ids.slice(3)])
    expect([...t.store.stored.keys()]).toEqual(ids)
    expect(await t.waiting()).toEqual([])
    expect(await due()).toEqual([])
    expect(await t.row()).toMatchObject({ deliveredCount: 5, lastErrorCode: null })
    expect((await t.row()).lastSuccessAt).not.toBeNull()
  })

  it('are sent again under the same ids if the worker dies before it records the response, and count once', async () => {
    await t.set()
    await watchMany(3)
    t.store.respond = () => ({ status: 200, body: '[]' })
    // The response is there, and the transaction that records it fails.
    await t.execute('alter table record_store rename column last_success_at to hidden')
    await expect(t.send()).rejects.toThrow()
    await t.execute('alter table record_store rename column hidden to last_success_at')
    expect(await t.waiting()).toHaveLength(3)
    await Promise.all([t.send(), t.send()])
    const [first, ...later] = t.store.requests
    expect(later.length).toBeGreaterThan(0)
    for (const ids of later) expect(ids).toEqual(first)
    expect(t.store.stored.size).toBe(3)
    expect((await t.row()).deliveredCount).toBe(3)
  })

  it('of which one is refused are divided until it is alone; the others are delivered', async () => {
    await t.set()
    await watchMany(9)
    const waiting = await t.waiting()
    const bad = waiting[4]?.id ?? ''
    t.store.unwanted.add(bad)
    await t.sendAll()
    expect([...t.store.stored.keys()]).toEqual(
      waiting.map(({ id }) => id).filter((id) => id !== bad),
    )
    expect(await t.waiting()).toEqual([{ ...waiting[4], isRefused: true }])
    expect(await t.row()).toMatchObject({
      deliveredCount: 8,
      refusedCount: 1,
      lastErrorStatus: 400,
      lastResponse: expect.stringContaining(bad),
      nextAttemptAt: null,
    })
    expect(await due()).toEqual([])
  })

  it('wait if twenty of them were refused and none was taken: then it is not for what they say', async () => {
    await t.set()
    await watchMany(23)
    t.store.respond = () => ({ status: 400, body: 'unknown version' })
    await t.sendAll()
    expect(await t.row()).toMatchObject({ refusedCount: 20, failureCount: 1 })
    t.store.respond = null
    await makeDue()
    await t.sendAll()
    expect(await t.row()).toMatchObject({ refusedCount: 20, deliveredCount: 3, refusedInRow: 0 })
  })

  it('count as delivered if the record store has another one of that id', async () => {
    await t.set()
    await watchMany(2)
    const [first] = await t.waiting()
    t.store.stored.set(first?.id ?? '', { id: first?.id } as never)
    await t.sendAll()
    expect(await t.waiting()).toEqual([])
    expect(await t.row()).toMatchObject({ deliveredCount: 2, refusedCount: 0 })
  })

  it('wait by the schedule of webhooks while requests fail, then hourly', async () => {
    await t.set()
    await watchMany(1)
    t.store.respond = () => ({ status: 503, body: '<b>busy</b>' })
    for (const minutes of [1, 5, 30, 120, 60, 60]) {
      expect(await t.send()).toEqual({ outcome: 'ended' })
      expect(await waitMinutes()).toBe(minutes)
      const requests = t.store.requests.length
      expect(await t.send()).toEqual({ outcome: 'ended' })
      expect(t.store.requests).toHaveLength(requests)
      expect(await due()).toEqual([])
      await makeDue()
    }
    await t.execute('delete from outbox')
    expect(await due()).toEqual([t.ownerId])
    expect(await t.row()).toMatchObject({
      lastErrorCode: 'http_error',
      lastErrorStatus: 503,
      lastResponse: '<b>busy</b>',
    })
    t.store.respond = null
    await t.sendAll()
    expect(await t.row()).toMatchObject({ failureCount: 0, lastErrorAt: null, lastResponse: null })
  })

  it('wait for an hour or new settings if the credentials are refused', async () => {
    await t.set({ password: 'wrong' })
    await watchMany(1)
    await t.send()
    expect(await waitMinutes()).toBe(60)
    expect(await t.row()).toMatchObject({ lastErrorStatus: 401 })
    await t.set()
    expect(await due()).toEqual([])
    await t.execute('delete from outbox')
    expect(await due()).toEqual([t.ownerId])
    await t.sendAll()
    expect(t.store.stored.size).toBe(1)
    expect(await t.row()).toMatchObject({ lastErrorAt: null, lastErrorStatus: null })
  })

  it('follow no redirect, and take no more of a response than is shown', async () => {
    await t.set()
    await watchMany(1)
    const location = `${t.url}elsewhere`
    t.store.respond = () => ({ status: 302, headers: { location }, body: 'x'.repeat(1_000_000) })
    await t.send()
    expect(t.store.requests).toHaveLength(1)
    const row = await t.row()
    expect(row).toMatchObject({ lastErrorCode: 'redirect_not_followed' })
    expect(row.lastResponse).toHaveLength(2000)
  })

  it('never show the password: not in the log, a result, an error or the row', async () => {
    const { password } = { password: 'päss:wörd' }
    const row = await t.set()
    await watchMany(1)
    t.store.respond = () => ({ status: 500 })
    const result = await t.send()
    const shown = JSON.stringify([result, await t.row(), t.logged])
    expect(t.logged.at(-1)).toMatchObject({ accountId: t.ownerId, status: 500 })
    for (const text of [password, Buffer.from(`reelgate:${password}`).toString('base64')])
      expect(shown).not.toContain(text)
    await expect(t.set({ url: 'https://evil.test/', password: undefined })).rejects.toMatchObject({
      code: 'invalid_parameter',
      field: 'password',
    })
    await expect(t.set({ username: 'other', password: undefined })).rejects.toMatchObject({
      field: 'password',
    })
    const kept = await t.set({ password: undefined, homePage: 'https://other.test' })
    expect(kept.sealedPassword).toBe(row.sealedPassword)
  })

  it('are removed with their record store, and never sent to the next one', async () => {
    await t.set()
    await watchMany(3)
    await t.em().transactional((tx) => removeRecordStore(tx, t.ownerId))
    await t.set()
    await t.watch({ viewerId: 'later' })
    await t.sendAll()
    expect([...t.store.stored.values()].map(({ actor }) => actor.account.name)).toEqual(['later'])
    await t.watch({ viewerId: 'last' })
    await t.em().transactional((tx) => removeRecordStore(tx, t.ownerId))
    await t.sendAll()
    expect(await t.waiting()).toEqual([])
  })

  it('are not sent while the record store is off, and are dropped and counted after 30 days', async () => {
    await t.set()
    await watchMany(3)
    await t.set({ isActive: false })
    await t.sendAll()
    expect(t.store.requests).toEqual([])
    await t.execute(`update xapi_statement set created_at = now() - interval '31 days'
      where number in (select number from xapi_statement order by number limit 2)`)
    await new MockActivityEnvironment().run(withDeps({ db: t.db }, purgeDeliveries))
    expect(await t.waiting()).toHaveLength(1)
    expect((await t.row()).droppedCount).toBe(2)
  })

  it('of a deleted account are not sent', async () => {
    await t.set()
    await watchMany(1)
    await t.execute('update account set deleted_at = now() where id = ?', [t.ownerId])
    await t.sendAll()
    expect(await due()).toEqual([])
    await t.execute('update account set deleted_at = null where id = ?', [t.ownerId])
    expect(t.store.requests).toEqual([])
  })

  it('of a viewer who is being erased are not sent any more', async () => {
    await t.set()
    await watchMany(2)
    await t.execute(`insert into viewer_erasure (account_id, viewer_id) values (?, 'viewer 0')`, [
      t.ownerId,
    ])
    await t.sendAll()
    expect([...t.store.stored.values()].map(({ actor }) => actor.account.name)).toEqual([
      'viewer 1',
    ])
  })
})
