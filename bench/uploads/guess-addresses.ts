// Requests addresses of uploads that do not exist, at a fixed rate. Prints how many responses had each status. After the first second it writes
// a line to stderr: its start is over.
// Usage: node guess-addresses.ts ORIGIN PER_SECOND COUNT
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'

const [origin = '', perSecond = '', count = ''] = process.argv.slice(2)
const pool = new Pool(origin, { connections: 20, pipelining: 1 })
const statuses: Record<number, number> = {}

async function guess(): Promise<void> {
  const path = `/uploads/${randomBytes(32).toString('base64url')}`
  const headers = { 'Tus-Resumable': '1.0.0' }
  const response = await pool.request({ path, method: 'HEAD', headers })
  await response.body.dump()
  statuses[response.statusCode] = (statuses[response.statusCode] ?? 0) + 1
}

const startedAt = performance.now()
const sent: Promise<void>[] = []
for (let number = 0; number < Number(count); number += 1) {
  const waitMs = startedAt + (number * 1000) / Number(perSecond) - performance.now()
  if (waitMs > 1) await sleep(waitMs)
  // Starting Node takes processor time from the reads that are measured.
  if (number === Number(perSecond)) process.stderr.write('started\n')
  sent.push(guess())
}
await Promise.all(sent)
await pool.close()
process.stdout.write(JSON.stringify(statuses))
