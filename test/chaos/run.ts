// npm run chaos [-- --faults 500] [--seed N] [--accounts 3]: a whole installation while its parts are killed and fail, then the scenarios.
// npm run chaos -- scenario NAME [--seed N]: one scenario.
// npm run chaos -- ROUNDS: repeats the kill tests; each round uses a new service.
// npm run chaos -- webhooks [--deliveries 2000] [--seed N]: deliveries while processes are killed.
// npm run chaos -- ingest [--kills 10] [--seed N]: a video of ten minutes while processes are killed.
import '../../scripts/log-to-stderr.ts'
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { runVitest } from '../../scripts/testing/run-vitest.ts'
import { runIngestChaos } from './ingest/ingest-chaos.ts'
import type { Scenario } from './scenarios/scenario.ts'
import { canMake, runScenario, SCENARIOS } from './scenarios/scenarios.ts'
import { describeFaults, GROUPS, summarise } from './service/report.ts'
import { runServiceChaos, type Judgement } from './service/service-chaos.ts'
import { runWebhookChaos } from './webhooks/webhook-chaos.ts'

const ROUNDS_MAX = 50
const DELIVERIES_MIN = 50
const USAGE = {
  service: 'npm run chaos -- [--faults 500] [--seed N] [--accounts 3]\n',
  scenario: `npm run chaos -- scenario ${SCENARIOS.map(({ name }) => name).join('|')} [--seed N]\n`,
  webhooks: 'npm run chaos -- webhooks [--deliveries 2000] [--seed N]\n',
  ingest: 'npm run chaos -- ingest [--kills 10] [--seed N]\n',
}

async function run(args: string[]): Promise<number> {
  const [what, ...others] = args
  if (what === undefined || what.startsWith('--')) return runService(args)
  if (what === 'scenario') return runOneScenario(others)
  if (what === 'webhooks') return runWebhooks(others)
  if (what === 'ingest') return runIngest(others)
  return runRounds(Number(what))
}

async function runRounds(rounds: number): Promise<number> {
  if (!Number.isInteger(rounds) || rounds < 1 || rounds > ROUNDS_MAX) {
    process.stderr.write(`the number of rounds is 1 to ${ROUNDS_MAX}\n`)
    return 2
  }
  let failed = 0
  for (let round = 1; round <= rounds; round += 1) {
    process.stdout.write(`round ${round} of ${rounds}\n`)
    const tests = await runVitest(['test/kill'], { EVERY_CASE: '1' })
    if (tests.failed > 0) failed += 1
  }
  process.stdout.write(`${rounds - failed} rounds held, ${failed} did not\n`)
  return failed === 0 ? 0 : 1
}

const tell = (line: string): void => void process.stdout.write(`${line}\n`)

/** Shows what a run has found. Returns its exit status. */
function conclude({ violations, ...summary }: { violations: string[]; seed: number }): number {
  for (const violation of violations) tell(`✗ ${violation}`)
  tell(JSON.stringify(summary, null, 2))
  tell(violations.length === 0 ? 'held' : `did not hold; again with --seed ${summary.seed}`)
  return violations.length === 0 ? 0 : 1
}

const seedOption = { type: 'string', default: String(randomInt(2 ** 31)) } as const

/** `npm run chaos`: resolves to its exit status. */
async function runService(args: string[]): Promise<number> {
  const options = {
    faults: { type: 'string', default: '500' },
    accounts: { type: 'string', default: '3' },
    seed: seedOption,
  } as const
  const { values } = parseArgs({ args, options })
  const numbers = [values.faults, values.accounts, values.seed].map(Number)
  const [faults = 0, accounts = 0, seed = 0] = numbers
  if (!numbers.every(Number.isInteger) || faults < 1 || accounts < 1) {
    process.stderr.write(USAGE.service)
    return 2
  }
  tell(`seed ${seed}`)
  const result = await runServiceChaos({ faults, accounts, seed, tell })
  for (const scenario of SCENARIOS) {
    if (await addScenario(result, scenario, seed)) result.faults.failures += 1
  }
  const { findings, line } = summarise(result, seed)
  for (const text of [...describeFaults(result), ...findings, line]) tell(text)
  return findings.length === 0 ? 0 : 1
}

/** Runs a scenario and adds what is found to `result`. Resolves to false if this machine cannot make it. */
async function addScenario(result: Judgement, scenario: Scenario, seed: number): Promise<boolean> {
  if (!canMake(scenario)) {
    tell(`${scenario.name} is left out: only root can make it`)
    return false
  }
  tell(`${scenario.name}: ${scenario.title}`)
  const found = await runScenario(scenario, seed)
  for (const group of GROUPS)
    result[group].push(...found[group].map((finding) => `${scenario.name}: ${finding}`))
  return true
}

/** `npm run chaos -- scenario NAME`: resolves to its exit status. */
async function runOneScenario(args: string[]): Promise<number> {
  const options = { seed: seedOption } as const
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const scenario = SCENARIOS.find(({ name }) => name === positionals[0])
  const seed = Number(values.seed)
  if (!scenario || !Number.isInteger(seed)) {
    process.stderr.write(USAGE.scenario)
    return 2
  }
  tell(`seed ${seed}`)
  const result = { lost: [], stuck: [], orphans: [], leaked: [] }
  const failures = (await addScenario(result, scenario, seed)) ? 1 : 0
  const { findings, line } = summarise({ ...result, faults: { kills: 0, failures } }, seed)
  for (const text of [...findings, line]) tell(text)
  return findings.length === 0 ? 0 : 1
}

/** `npm run chaos -- webhooks`: resolves to its exit status. */
async function runWebhooks(args: string[]): Promise<number> {
  const options = { deliveries: { type: 'string', default: '2000' }, seed: seedOption } as const
  const { values } = parseArgs({ args, options })
  const [deliveries, seed] = [Number(values.deliveries), Number(values.seed)]
  if (!Number.isInteger(deliveries) || deliveries < DELIVERIES_MIN || !Number.isInteger(seed)) {
    process.stderr.write(USAGE.webhooks)
    return 2
  }
  tell(`seed ${seed}`)
  const kills = { worker: 5, api: 4, temporal: 4 }
  return conclude(await runWebhookChaos({ deliveries, seed, scheduledOneIn: 50, tell, kills }))
}

const VIDEO_SECONDS = 600

/** `npm run chaos -- ingest`: resolves to its exit status. */
async function runIngest(args: string[]): Promise<number> {
  const options = { kills: { type: 'string', default: '10' }, seed: seedOption } as const
  const { values } = parseArgs({ args, options })
  const [kills, seed] = [Number(values.kills), Number(values.seed)]
  if (!Number.isInteger(kills) || kills < 0 || !Number.isInteger(seed)) {
    process.stderr.write(USAGE.ingest)
    return 2
  }
  tell(`seed ${seed}`)
  const worker = Math.ceil(kills / 2)
  const times = { worker, temporal: kills - worker }
  return conclude(await runIngestChaos({ seconds: VIDEO_SECONDS, seed, kills: times, tell }))
}

process.exitCode = await run(process.argv.slice(2))
