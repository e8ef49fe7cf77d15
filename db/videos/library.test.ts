import { afterAll, beforeAll, expect, it } from 'vitest'
import { insertSealedAccountFixture } from '../../test/fixtures/account.ts'
import { openDatabaseFixture, type DatabaseFixture } from '../../test/fixtures/database.ts'
import { readLibrary } from './library.ts'

let fixture: DatabaseFixture
beforeAll(async () => {
  fixture = await openDatabaseFixture()
})
afterAll(() => fixture.close())

it('the videos of an account are read to the last one, also when those that were read are deleted and purged', async () => {
  const em = () => fixture.db.em.fork()
  const accountId = await insertSealedAccountFixture(fixture.db)
  // Three pages, of which the first videos have been made at one time.
  await em().execute(
    `insert into video (id, account_id, title, source_url, protection, status, created_at)
     select lpad(to_hex(n), 20, '0'), ?, 'V', '', 'clearkey', 'ready', now() + greatest(0, n - 150) * interval '1 microsecond'
     from generate_series(1, 250) n`,
    [accountId],
  )
  const read: string[] = []
  for await (const { id } of readLibrary(async () => em(), { accountId })) {
    read.push(id)
    await em().execute('delete from video where id = ?', [id])
  }
  expect([read.length, new Set(read).size, read]).toEqual([250, 250, read.toSorted()])
})
