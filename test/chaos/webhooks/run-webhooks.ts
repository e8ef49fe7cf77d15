import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { runWebhookChaos } from './webhook-chaos.ts'

const USAGE = 'npm run chaos -- webhooks [--deliveries 2000] [--seed N]\n'

/** `npm run chaos -- webhooks`: resolves to its exit status. */
export async function runWebhooks(args: string[]): Promise<number> {
  const options = {
    deliveries: { type: 'string', default: '2000' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
  } as const
  const { values } = parseArgs({ args, options })
  const [deliveries, seed] = [Number(values.deliveries), Number(values.seed)]
  if (!Number.isInteger(deliveries) || deliveries < 50 || !Number.isInteger(seed)) {
    process.stderr.write(USAGE)
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
