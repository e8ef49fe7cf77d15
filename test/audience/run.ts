// npm run verify:audience [-- --sessions N --seed N]: counts a million synthetic sessions, and compares all sums with an oracle.
import '../../scripts/log-to-stderr.ts'
import { parseArgs } from 'node:util'
import { openBenchServers } from '../../bench/servers.ts'
import { verifyAudience } from './verify-audience.ts'

const tell = (line: string): void => void process.stdout.write(`${line}\n`)
const { values } = parseArgs({
  options: {
    sessions: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '46' },
  },
})
const startedAt = performance.now()
const servers = await openBenchServers('audience', [])
try {
  await verifyAudience({
    url: servers.databaseUrl,
    sessions: Number(values.sessions),
    seed: Number(values.seed),
    held: (check) => tell(`  ✓ ${check} (${Math.round((performance.now() - startedAt) / 1000)} s)`),
  })
} catch (error) {
  tell(`  ✗ ${error instanceof Error ? error.stack : String(error)}`)
  process.exitCode = 1
} finally {
  await servers.close()
}
