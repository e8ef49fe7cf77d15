// npm run verify:upgrade [-- --from COMMIT …]: upgrades from each earlier release, or from the named commits, with work in
// flight.
import '../../scripts/log-to-stderr.ts'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chooseReleases } from './release.ts'
import { verifyUpgrade } from './verify-upgrade.ts'

const tell = (line: string): void => void process.stdout.write(`${line}\n`)

try {
  for (const release of await chooseReleases(process.argv.slice(2))) {
    const folder = await mkdtemp(join(tmpdir(), 'reelgate-upgrade-'))
    try {
      tell(`from ${release.name}`)
      await verifyUpgrade(release, folder, (check) => tell(`  ✓ ${check}`))
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
} catch (error) {
  tell(`  ✗ ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
