import { describe, expect, it } from 'vitest'
import { appendEvent } from '../../commands/events.ts'
import type { EntityManager } from '../../db/database.ts'
import { setUpApiFixture } from '../../test/fixtures/api.ts'
import { waitFor } from '../../test/infrastructure/wait-for.ts'

const t = setUpApiFixture()
const em = () => t.db.em.fork()
const append = (accountId: number, tx = em()) =>
  appendEvent(tx, {
    accountId,
    type: 'video.deleted',
    data: { id: 'a'.repeat(20), object: 'video' },
  })
const list = async (key: string, query: string) => {
  const { json } = await t.call('GET', `/v1/events?${query}`, { key })
  return (json.data as { id: string }[]).map(({ id }) => id)
}
const shown = (key: string, id: string) =>
  waitFor(`${id} in the list`, async () => (await list(key, 'limit=100')).includes(id))

/** A transaction that has written its event and waits for `commit`. */
async function openTransaction(
  accountId: number,
  before?: (tx: EntityManager) => Promise<unknown>,
) {
  const isWritten = Promise.withResolvers<string>()
  const mayCommit = Promise.withResolvers<void>()
  const done = em().transactional(async (tx) => {
    await before?.(tx)
    isWritten.resolve(await append(accountId, tx))
    await mayCommit.promise
  })
  const commit = async () => {
    mayCommit.resolve()
    await done
  }
  return { eventId: await isWritten.promise, commit }
}

describe('a follower that continues after the last event it saw', () => {
  it('gets an event that commits late although it was created earlier', async () => {
    const { id, key } = await t.makeAccount()
    const start = await append(id)
    await shown(key, start)
    const late = await openTransaction(id)
    const early = await append(id)
    expect(await list(key, `ending_before=${start}`)).toEqual([])
    expect((await t.call('GET', `/v1/events/${early}`, { key })).status).toBe(200)
    await late.commit()
    await shown(key, early)
    expect(await list(key, `ending_before=${start}`)).toEqual([early, late.eventId])
  })

  it('gets an event whose transaction began earlier and created it later', async () => {
    const { id, key } = await t.makeAccount()
    const start = await append(id)
    await shown(key, start)
    const begun = Promise.withResolvers<void>()
    const early = Promise.withResolvers<string>()
    const opening = openTransaction(id, async (tx) => {
      await tx.execute('select pg_current_xact_id()')
      begun.resolve()
      await early.promise
    })
    await begun.promise
    const younger = await openTransaction(id)
    early.resolve(younger.eventId)
    const older = await opening
    await older.commit()
    await shown(key, older.eventId)
    expect(await list(key, `ending_before=${start}`)).toEqual([older.eventId])
    await younger.commit()
    await shown(key, younger.eventId)
    expect(await list(key, `ending_before=${older.eventId}`)).toEqual([younger.eventId])
  })

  it('gets each of many concurrently written events once', async () => {
    const { id, key } = await t.makeAccount()
    let cursor = await append(id)
    await shown(key, cursor)
    const seen: string[] = []
    let isOver = false
    const following = (async () => {
      for (;;) {
        const wasOver = isOver
        const page = await list(key, `limit=3&ending_before=${cursor}`)
        seen.push(...page.toReversed())
        cursor = page[0] ?? cursor
        if (wasOver && page.length === 0) return
      }
    })()
    const write = async (): Promise<string[]> => {
      const ids: string[] = []
      for (let count = 0; count < 20; count += 1)
        await em().transactional(async (tx) => {
          ids.push(await append(id, tx))
          await tx.execute('select pg_sleep(random() / 50)')
        })
      return ids
    }
    const written = (await Promise.all([write(), write(), write(), write()])).flat()
    const last = await append(id)
    await shown(key, last)
    isOver = true
    await following
    expect(seen.toSorted()).toEqual([...written, last].toSorted())
  })
})

describe('wait_seconds', () => {
  it('responds as soon as an event exists', async () => {
    const { id, key } = await t.makeAccount()
    const start = await append(id)
    await shown(key, start)
    let hasResponse = false
    const waiting = list(key, `wait_seconds=25&ending_before=${start}`).finally(
      () => (hasResponse = true),
    )
    await list(key, 'limit=1')
    expect(hasResponse).toBe(false)
    const next = await append(id)
    expect(await waiting).toEqual([next])
  })

  it('waits for the first event of an account, and for one of the requested type', async () => {
    const { id, key } = await t.makeAccount()
    const first = list(key, 'wait_seconds=25')
    const test = list(key, 'wait_seconds=25&type=video.failed')
    const other = await append(id)
    expect(await first).toEqual([other])
    const failed = await appendEvent(em(), {
      accountId: id,
      type: 'video.failed',
      data: { id: 'a'.repeat(20), object: 'video', status: 'failed', error: 'It broke.' },
    })
    expect(await test).toEqual([failed])
  })

  it('ends with an empty page when the time is over', async () => {
    const { key } = await t.makeAccount()
    expect(await list(key, 'wait_seconds=1')).toEqual([])
  })

  it('does not wait for older events', async () => {
    const { id, key } = await t.makeAccount()
    const only = await append(id)
    const query = `wait_seconds=25&starting_after=${only}`
    const waiting = await Promise.race([
      list(key, query),
      new Promise((resolve) => setTimeout(resolve, 20_000, 'waited')),
    ])
    expect(waiting).toEqual([])
  })
})
