// npm run chaos [-- ROUNDS]: repeats the kill tests; each round uses a new service.
// npm run chaos -- webhooks [--deliveries 2000] [--seed N]: deliveries while processes are killed.
import '../../scripts/log-to-stderr.ts'
import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { pinnedNode, projectDir } from '../../scripts/bootstrap/tools.mjs'
import { runWebhookChaos } from './webhooks/webhook-chaos.ts'

const ROUNDS_MAX = 50
const WEBHOOKS_USAGE = 'npm run chaos -- webhooks [--deliveries 2000] [--seed N]\n'

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

/** `npm run chaos -- webhooks`: resolves to its exit status. */
async function runWebhooks(args: string[]): Promise<number> {
  const options = {
    deliveries: { type: 'string', default: '2000' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
  } as const
  const { values } = parseArgs({ args, options })
  const [deliveries, seed] = [Number(values.deliveries), Number(values.seed)]
  if (!Number.isInteger(deliveries) || deliveries < 50 || !Number.isInteger(seed)) {
    process.stderr.write(WEBHOOKS_USAGE)
    return 2
  }
  const tell = (line: string) => void process.stdout.write(`${line}\n`)
  tell(`seed ${seed}`)
  const { violations, ...summary } = await runWebhookChaos({
    deliveries,
    seed,
    scheduledOneIn: 50,
    tell,
    kills: { worker: 5, api: 4, temporal: 4 },
  })
  for (const violation of violations) tell(`✗ ${violation}`)
  tell(JSON.stringify(summary, null, 2))
  tell(violations.length === 0 ? 'held' : `did not hold; again with --seed ${seed}`)
  return violations.length === 0 ? 0 : 1
}
