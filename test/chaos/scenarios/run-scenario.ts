// Run as a process of its own: node run-scenario.ts NAME SEED. Sends the judgement to its parent.
import '../../../scripts/log-to-stderr.ts'
import { judge } from '../service/service-chaos.ts'
import { withRecord } from '../service/with-record.ts'
import { openOwnNetwork } from './network-away.ts'
import { SCENARIOS } from './scenarios.ts'

const [name = '', seed = ''] = process.argv.slice(2)
const scenario = SCENARIOS.find((one) => one.name === name)
if (!scenario) throw new Error(`no scenario is called ${name}`)
if (scenario.needsNetwork) await openOwnNetwork()
const tell = (line: string): void => void process.stdout.write(`  ${name}: ${line}\n`)
const judgement = await withRecord(
  { ...scenario.options, seed: Number(seed), tell },
  async (record) => {
    await scenario.run(record, tell)
    return judge(record)
  },
)
process.send?.(judgement)
process.disconnect?.()
