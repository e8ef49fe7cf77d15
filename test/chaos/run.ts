// npm run chaos [-- ROUNDS]: the kill tests again and again, each round on a new service.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { pinnedNode, projectDir } from '../../scripts/bootstrap/tools.mjs'

const ROUNDS_MAX = 50

const rounds = Number(process.argv[2] ?? 3)
if (!Number.isInteger(rounds) || rounds < 1 || rounds > ROUNDS_MAX) {
  process.stderr.write(`the number of rounds is 1 to ${ROUNDS_MAX}\n`)
  process.exit(2)
}
const jest = join(projectDir, 'node_modules', 'jest', 'bin', 'jest.js')
const args = ['--experimental-vm-modules', '--no-warnings', jest, '--runInBand', 'test/kill']
let failed = 0
for (let round = 1; round <= rounds; round += 1) {
  process.stdout.write(`round ${round} of ${rounds}\n`)
  const { status } = spawnSync(pinnedNode, args, { cwd: projectDir, stdio: 'inherit' })
  if (status !== 0) failed += 1
}
process.stdout.write(`${rounds - failed} rounds held, ${failed} did not\n`)
process.exitCode = failed === 0 ? 0 : 1
