import { Option } from 'commander'
import type { EventType } from '../../domain/webhooks/events.ts'
import { parseEventTypes, parseHttpUrl, parseSince } from '../arguments.ts'
import type { Context } from '../context.ts'
import { CliError } from '../errors.ts'
import { listenToEvents } from '../listen/listen-to-events.ts'
import { createReport } from '../listen/report.ts'
import { addSecretOptions, readSecret, readWebhookSecret } from '../secret-option.ts'
import type { RegisterVerbs } from '../verb.ts'

interface Options {
  forwardTo: URL
  events?: EventType[]
  since?: Date
  secret?: string
  secretFile?: string
  api?: URL
  key?: string
  keyFile?: string
}

/** `listen`: forwards an account's events to a local server until Ctrl-C. Uses only the API. */
export const listen: RegisterVerbs = (program, run) => {
  const command = program
    .command('listen')
    .description("forward an account's events to a local server as signed webhooks")
    .addOption(
      new Option('--forward-to <url>', 'address that receives each event')
        .argParser(parseHttpUrl)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--events <types>', 'only these event types, separated by commas').argParser(
        parseEventTypes,
      ),
    )
    .addOption(
      new Option(
        '--since <time>',
        'start with events created at this time (default: now)',
      ).argParser(parseSince),
    )
    .addOption(
      new Option('--api <url>', 'address of the API (default: the running instance)').argParser(
        parseHttpUrl,
      ),
    )
    .action(run(forwardEvents))
  addSecretOptions(command, {
    name: 'secret',
    description: 'signing secret (default: a new one, printed at the start)',
    variable: 'REELGATE_WEBHOOK_SECRET',
  })
  addSecretOptions(command, {
    name: 'key',
    description: 'API key with the scope webhooks:read',
    variable: 'REELGATE_API_KEY',
  })
}

async function forwardEvents(context: Context, options: Options): Promise<void> {
  const report = createReport(context.out)
  const { forwardTo, events: types, since } = options
  const secret = await readWebhookSecret(context, options)
  const access = { api: apiAddress(context, options), apiKey: await readKey(context, options) }
  const signal = interruption()
  await listenToEvents({ ...access, forwardTo, types, since, secret, report, signal })
  report.summary()
}

function apiAddress({ runtime, dataDir }: Context, { api }: Options): string {
  const address = api?.href ?? runtime?.api
  if (address !== undefined) return address.replace(/\/+$/, '')
  throw new CliError(`Nothing is running on ${dataDir}: give its address with --api <url>`, {
    code: 'instance_not_running',
    param: '--api',
  })
}

async function readKey({ config }: Context, { key, keyFile }: Options): Promise<string> {
  const variable = config.REELGATE_API_KEY
  const apiKey = await readSecret('key', { option: key, file: keyFile, variable })
  if (apiKey !== undefined) return apiKey
  throw new CliError('Which account? Set REELGATE_API_KEY, or give --key-file <file>', {
    code: 'missing_api_key',
    param: '--key-file',
  })
}

/**
 * Returns a signal that aborts at Ctrl-C. Keeps its listeners, because npm forwards Ctrl-C a second
 * time, which would otherwise end the process before the summary.
 */
function interruption(): AbortSignal {
  const stopping = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stopping.abort())
  return stopping.signal
}
