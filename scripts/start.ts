// npm start: everything on embedded defaults, until Ctrl-C.
import './log-to-stderr.ts'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { loadConfig } from '../config.ts'
import { inheritedEnvironment } from './bootstrap/tools.mjs'
import { onRequestToEnd } from './lifetime.ts'
import { startStack, type Stack, type StackHandle } from './stack.ts'
import { startText } from './start-text.ts'

const tell = (line: string) => void process.stderr.write(`${line}\n`)

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { json: { type: 'boolean', default: false }, 'data-dir': { type: 'string' } },
  })
  const env = inheritedEnvironment()
  if (values['data-dir'] !== undefined) env.REELGATE_DATA_DIR = values['data-dir']
  const config = loadConfig(env)
  const startedAt = Date.now()
  tell(`Starting in ${config.REELGATE_DATA_DIR} …`)
  let stack: StackHandle | undefined
  let isStopping = false
  const end = async (status: number) => {
    isStopping = true
    await stack?.stop()
    process.exit(status)
  }
  onRequestToEnd(() => {
    tell('Stopping …')
    void end(0)
  })
  stack = startStack({ config, env, tell })
  try {
    const ready = await stack.ready
    tell(
      `Ready in ${((Date.now() - startedAt) / 1000).toFixed(1)} s. Press Ctrl-C to stop everything.`,
    )
    const dataDir = config.REELGATE_DATA_DIR
    const isFolderChosen = values['data-dir'] !== undefined
    process.stdout.write(
      values.json ? `${asJson(ready, dataDir)}\n` : startText(ready, { dataDir, isFolderChosen }),
    )
  } catch (error) {
    // A start that is stopped on request fails, which is no news.
    if (isStopping) return
    explain(error)
    const logs = join(config.REELGATE_DATA_DIR, 'logs')
    if (existsSync(logs)) tell(`The logs are in ${logs}`)
    await end(1)
  }
}

/** The line that scripts read (docs: "Commands"). */
function asJson({ addresses, account }: Stack, dataDir: string): string {
  return JSON.stringify({
    api: addresses.api,
    player: addresses.player,
    // This version has none; the contract names the field.
    dashboard: null,
    temporal: addresses.temporal,
    temporal_ui: addresses.temporalUi,
    api_key: account.apiKey,
    account_id: account.accountId,
    data_dir: dataDir,
  })
}

function explain(error: unknown): void {
  tell(`\n${error instanceof Error ? error.message : String(error)}`)
}

main().catch((error: unknown) => {
  explain(error)
  process.exit(1)
})
