import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabase } from '../../db/database.ts'
import { FEW_MAX } from '../../db/videos/matching-videos.ts'
import { parseMasterKeys } from '../../security/sealing/sealing.ts'
import { insertAccountFixture } from '../../test/fixtures/account.ts'
import { openDatabaseFixture, type DatabaseFixture } from '../../test/fixtures/database.ts'
import { isLarge, openExplained } from './explain.ts'
import { createEmpty, fill, type FillTarget } from './fill.ts'
import { findsOf, MIXES, readTwoPages } from './finds.ts'
import { operationsOn } from './operations.ts'

const SIZE = { videos: 4_000, deliveries: 40_000, sessions: 40_000 }
/** The first 200 rows of each kind of work, and what they name. */
const SWEEP_BLOCKS_MAX = 1_500
/** A database of its own, because the events of a fixture are checked, and these are none that a receiver gets. */
const NAME = `filled_${randomBytes(6).toString('hex')}`

let fixture: DatabaseFixture
let target: FillTarget

beforeAll(async () => {
  fixture = await openDatabaseFixture()
  const url = await createEmpty(fixture.databaseUrl, NAME)
  const db = await openDatabase({ url, poolSize: 1 })
  const masterKeys = parseMasterKeys(randomBytes(32).toString('hex'))
  const account = () => insertAccountFixture(db, masterKeys, randomBytes(32).toString('hex'))
  target = { url, accountIds: [await account(), await account(), await account()], facts: '{}' }
  await db.close(true)
  await fill(target, SIZE)
})
afterAll(async () => {
  await fixture.execute(`drop database ${NAME} with (force)`)
  await fixture.close()
})

it('reads lists from their indexes, and reads no large table as a whole', async () => {
  // A small table is faster without its index. It is read as a whole then only if it has none that fits.
  const explained = await openExplained(target.url, { enable_seqscan: 'off' })
  try {
    const faults: string[] = []
    for (const { name, run, aloneIndex } of await operationsOn(explained.db, target)) {
      await run(explained.db)
      const reading = await explained.explain(() => run(explained.db))
      const scanned = reading.scanned.filter(isLarge)
      if (scanned.length > 0) faults.push(`${name} reads all of ${scanned.join(', ')}`)
      if (name.startsWith('sweep: ') && reading.blocks > SWEEP_BLOCKS_MAX)
        faults.push(`${name} reads ${reading.blocks} blocks`)
      if (aloneIndex !== undefined && !reading.aloneIndexes.includes(aloneIndex))
        faults.push(`${name} reads rows beside ${aloneIndex}`)
    }
    expect(faults).toEqual([])
  } finally {
    await explained.close()
  }
})

it('finds videos in the index of each filter, and sorts few of them', async () => {
  const [large] = target.accountIds
  const explained = await openExplained(target.url, { enable_seqscan: 'off' })
  try {
    const em = () => explained.db.em.fork()
    const [folder] = await em().execute<{ id: number }[]>('select min(id)::int as id from folder')
    const [account] = await em().execute<{ count: number }[]>(
      'select count(*)::int as count from video where account_id = ?',
      [large],
    )
    // Otherwise a sort of all would be one of few.
    expect(account?.count).toBeGreaterThan(1.2 * FEW_MAX)
    const faults: string[] = []
    for (const find of [...findsOf(folder?.id ?? 0), ...MIXES]) {
      const { name, index } = find
      const reading = await explained.explain(() => readTwoPages(em(), large, find))
      const scanned = reading.scanned.filter(isLarge)
      if (scanned.length > 0) faults.push(`${name} reads all of ${scanned.join(', ')}`)
      if (reading.sortedRows > FEW_MAX) faults.push(`${name} sorts ${reading.sortedRows} rows`)
      if (index !== undefined && find.sort === '-created' && !reading.indexes.includes(index))
        faults.push(`${name} reads ${reading.indexes.join(', ')}`)
    }
    expect(faults).toEqual([])
  } finally {
    await explained.close()
  }
})
