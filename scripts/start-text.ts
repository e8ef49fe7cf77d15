import { join } from 'node:path'
import type { Stack } from './stack.ts'

/** What `npm start` prints for people once everything is ready: where it is, and what to do next. */
export function startText({ addresses, account }: Stack, options: TextOptions): string {
  const { dataDir } = options
  const keyFile = join(dataDir, 'first-account.json')
  const rows = [
    ['API', addresses.api],
    ['API docs', `${addresses.api}/docs`],
    ['Player', addresses.player],
    ['Temporal', addresses.temporal],
    ['Temporal UI', addresses.temporalUi],
    ['Data', dataDir],
    ['Account', String(account.accountId)],
    ['API key', account.isNew ? account.apiKey : `in ${keyFile}`],
  ] as const
  const key = account.isNew ? account.apiKey : `$(node -p 'require("${keyFile}").apiKey')`
  const folder = options.isFolderChosen ? ` --data-dir ${dataDir}` : ''
  const nextSteps = [
    '',
    'Call the API:',
    `  curl -H "Authorization: Bearer ${key}" ${addresses.api}/v1/videos`,
    'Make another API key:',
    `  npm run reelgate -- keys create --account ${account.accountId} --scopes all${folder}`,
  ]
  const lines = rows.map(([name, value]) => `  ${name.padEnd(12)} ${value}`)
  return ['', ...lines, ...nextSteps, ''].join('\n')
}

interface TextOptions {
  dataDir: string
  /** By `--data-dir`: other commands need it too. */
  isFolderChosen: boolean
}
