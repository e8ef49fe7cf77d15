// npm run chaos [-- ROUNDS]: the kill tests again and again, each round on a new service.
// npm run chaos -- webhooks [--deliveries 2000] [--seed N]: deliveries while processes are killed.
import '../../scripts/log-to-stderr.ts'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { pinnedNode, projectDir } from '../../scripts/bootstrap/tools.mjs'
import { runWebhooks } from './webhooks/run-webhooks.ts'

const ROUNDS_MAX = 50

const [first = '3', ...others] = process.argv.slice(2)
process.exitCode = first === 'webhooks' ? await runWebhooks(others) : runRounds(Number(first))

function runRounds(rounds: number): number {
  if (!Number.isInteger(rounds) || rounds < 1 || rounds > ROUNDS_MAX) {
    process.stderr.write(`the number of rounds is 1 to ${ROUNDS_MAX}\n`)
    return 2
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
  return failed === 0 ? 0 : 1
}
