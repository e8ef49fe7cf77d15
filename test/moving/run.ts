// npm run verify:import [-- --count N --kills N --seed N]: imports a library of a thousand videos with the command line, which is killed twenty times,
// exports it, imports the export into another account, exports that, and compares both.
import '../../scripts/log-to-stderr.ts'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { verifyImport } from './verify-import.ts'

const tell = (line: string): void => void process.stdout.write(`${line}\n`)
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '1000' },
    kills: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
  },
})
const folder = await mkdtemp(join(tmpdir(), 'reelgate-moving-'))
try {
  const startedAt = performance.now()
  tell(`${values.count} videos, ${values.kills} kills, seed ${values.seed}`)
  await verifyImport(folder, {
    count: Number(values.count),
    kills: Number(values.kills),
    seed: Number(values.seed),
    held(check) {
      tell(`  ✓ ${check} (${Math.round((performance.now() - startedAt) / 1000)} s)`)
    },
  })
} catch (error) {
  tell(`  ✗ ${error instanceof Error ? error.stack : String(error)}`)
  process.exitCode = 1
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}
