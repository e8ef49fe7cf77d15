// npm start: runs the whole service on embedded defaults until Ctrl-C.
import './log-to-stderr.ts'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { loadConfig } from '../config/config.ts'
import { inheritedEnvironment } from './bootstrap/tools.mjs'
import { onShutdownRequest } from './lifetime.ts'
import { startStack, type Stack, type StackHandle } from './stack.ts'

const tell = (line: string) => void process.stderr.write(`${line}\n`)

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      'data-dir': { type: 'string' },
      // A folder of backups, whose newest is restored into a new data folder first.
      restore: { type: 'string' },
    },
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
  onShutdownRequest(() => {
    tell('Stopping …')
    void end(0)
  })
  stack = startStack({ config, env, tell, restoreFrom: values.restore })
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
    // A stop during the start also throws, but needs no message.
    if (isStopping) return
    explain(error)
    const logs = join(config.REELGATE_DATA_DIR, 'logs')
    if (existsSync(logs)) tell(`The logs are in ${logs}`)
    await end(1)
  }
}

/** The line that scripts read. */
function asJson({ addresses, account, ownerLink }: Stack, dataDir: string): string {
  return JSON.stringify({
    api: addresses.api,
    player: addresses.player,
    dashboard: addresses.dashboard,
    // Null once the account has a member.
    owner_link: ownerLink,
    temporal: addresses.temporal,
    temporal_ui: addresses.temporalUi,
    api_key: account.apiKey,
    account_id: account.accountId,
    data_dir: dataDir,
  })
}

/** The text that `npm start` prints when everything is ready: addresses and next steps. */
function startText({ addresses, account, ownerLink }: Stack, options: TextOptions): string {
  const { dataDir } = options
  const keyFile = join(dataDir, 'first-account.json')
  const rows = [
    ['API', addresses.api],
    ['API docs', `${addresses.api}/docs`],
    ['Player', addresses.player],
    ['Dashboard', addresses.dashboard],
    ['Temporal', addresses.temporal],
    ['Temporal UI', addresses.temporalUi],
    ['Data', dataDir],
    ['Account', String(account.accountId)],
    ['API key', account.isNew ? account.apiKey : `in ${keyFile}`],
  ] as const
  const readKey = shellWord(`require(${JSON.stringify(keyFile)}).apiKey`)
  const key = account.isNew ? account.apiKey : `$(node -p ${readKey})`
  const folder = options.isFolderChosen ? ` --data-dir ${shellWord(dataDir)}` : ''
  const firstStep =
    ownerLink === null
      ? []
      : [
          '',
          'Open the dashboard as the owner of the account (once, within a day):',
          `  ${ownerLink}`,
        ]
  const nextSteps = [
    ...firstStep,
    '',
    'Call the API:',
    `  curl -H "Authorization: Bearer ${key}" ${addresses.api}/v1/videos`,
    'Create another API key:',
    `  npm run reelgate -- keys create --account ${account.accountId} --scopes all${folder}`,
  ]
  const lines = rows.map(([name, value]) => `  ${name.padEnd(12)} ${value}`)
  return ['', ...lines, ...nextSteps, ''].join('\n')
}

/** Quotes a text for a POSIX shell if it needs quotes. */
function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

interface TextOptions {
  dataDir: string
  /** True after `--data-dir`, which the suggested commands then need too. */
  isFolderChosen: boolean
}

function explain(error: unknown): void {
  tell(`\n${error instanceof Error ? error.message : String(error)}`)
}

main().catch((error: unknown) => {
  explain(error)
  process.exit(1)
})
