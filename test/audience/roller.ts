// Counts the sessions of the database at DATABASE_URL until it is killed.
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../../db/database.ts'
import { countAll } from './count-all.ts'

const BATCH_SESSIONS = 5_000
/** So short that many sessions go on after they were counted. */
const SILENT_MS = 300
const PAUSE_MS = 100

const db = await openDatabase({ url: String(process.env.DATABASE_URL), poolSize: 1 })
for (;;) {
  await countAll(db, BATCH_SESSIONS, SILENT_MS)
  await sleep(PAUSE_MS)
}
