// npm run verify:upgrade [-- TAG …]: upgrades from each earlier release, with work in flight.
import '../../scripts/log-to-stderr.ts'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listReleases } from './release.ts'
import { verifyUpgrade } from './verify-upgrade.ts'

const tell = (line: string): void => void process.stdout.write(`${line}\n`)

async function run(tags: string[]): Promise<void> {
  for (const tag of tags) {
    const folder = await mkdtemp(join(tmpdir(), 'reelgate-upgrade-'))
    try {
      tell(`from ${tag}`)
      await verifyUpgrade(tag, folder, (check) => tell(`  ✓ ${check}`))
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
}

try {
  const named = process.argv.slice(2)
  await run(named.length > 0 ? named : await listReleases())
} catch (error) {
  tell(`  ✗ ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
