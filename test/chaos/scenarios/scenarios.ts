import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { pinnedNode, projectDir } from '../../../scripts/bootstrap/tools.mjs'
import type { Judgement } from '../service/service-chaos.ts'
import { diskOfDownloads } from './disk-of-downloads.ts'
import { networkAway } from './network-away.ts'
import type { Scenario } from './scenario.ts'
import { storageSilent } from './storage-silent.ts'
import { temporalLost } from './temporal-lost.ts'

export const SCENARIOS: readonly Scenario[] = [
  networkAway,
  diskOfDownloads,
  temporalLost,
  storageSilent,
]

export const canMake = ({ needsRoot }: Scenario): boolean => !needsRoot || process.getuid?.() === 0

/** Runs one scenario in a process of its own. Throws if it ends without a judgement. */
export async function runScenario(scenario: Scenario, seed: number): Promise<Judgement> {
  const script = join(projectDir, 'test/chaos/scenarios/run-scenario.ts')
  const command = [pinnedNode, '--no-warnings', script, scenario.name, String(seed)]
  const [program = '', ...args] = scenario.needsNetwork ? ['unshare', '--net', ...command] : command
  const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  let judgement: Judgement | null = null
  child.on('message', (message) => (judgement = message as Judgement))
  const [status] = (await once(child, 'close')) as [number | null]
  if (judgement === null) throw new Error(`${scenario.name} ended with status ${status}`)
  return judgement
}
