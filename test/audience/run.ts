// npm run verify:audience [-- --sessions N --seed N]: counts a million synthetic sessions, and compares all sums with an oracle.
import '../../scripts/log-to-stderr.ts'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startGuard } from '../../scripts/embedded/guard.ts'
import { freePort } from '../../scripts/embedded/ports.ts'
import { startPostgres } from '../../scripts/embedded/postgres.ts'
import { openRotatingLog } from '../../scripts/embedded/rotating-log.ts'
import { verifyAudience } from './verify-audience.ts'

const tell = (line: string): void => void process.stdout.write(`${line}\n`)
const { values } = parseArgs({
  options: {
    sessions: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '46' },
  },
})
const startedAt = performance.now()
const folder = await mkdtemp(join(tmpdir(), 'reelgate-audience-'))
const postgres = await startPostgres({
  dataDir: folder,
  port: await freePort(),
  log: openRotatingLog(join(folder, 'postgres.log')),
  guard: startGuard(),
})
try {
  await verifyAudience({
    url: postgres.url,
    sessions: Number(values.sessions),
    seed: Number(values.seed),
    held: (check) => tell(`  ✓ ${check} (${Math.round((performance.now() - startedAt) / 1000)} s)`),
  })
} catch (error) {
  tell(`  ✗ ${error instanceof Error ? error.stack : String(error)}`)
  process.exitCode = 1
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}
