// npm run verify:uploads [-- --megabytes N]: sends a file of 1 GB from browsers through Caddy and nginx, with the network cut five times, the API
// killed five times and the page loaded again twice.
import '../../scripts/log-to-stderr.ts'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { verifyUploads, type Trouble } from './verify-uploads.ts'

const TROUBLES = 'cut kill cut kill reload cut kill cut kill reload cut kill'.split(
  ' ',
) as Trouble[]

const tell = (line: string): void => void process.stdout.write(`${line}\n`)
const { values } = parseArgs({ options: { megabytes: { type: 'string', default: '1000' } } })
const folder = await mkdtemp(join(tmpdir(), 'reelgate-uploads-'))
try {
  const startedAt = performance.now()
  await verifyUploads(folder, {
    sizeBytes: Number(values.megabytes) * 1e6,
    troubles: TROUBLES,
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
