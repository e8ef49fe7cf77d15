import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabase } from '../../db/database.ts'
import { parseMasterKeys } from '../../security/sealing/sealing.ts'
import { insertAccountFixture } from '../../test/fixtures/account.ts'
import { openDatabaseFixture, type DatabaseFixture } from '../../test/fixtures/database.ts'
import { isLarge, openExplained } from './explain.ts'
import { createEmpty, fill, type FillTarget } from './fill.ts'
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
