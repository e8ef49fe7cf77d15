import { Option } from 'commander'
import type { EventType } from '../../domain/events.ts'
import type { Context } from '../context.ts'
import { CliError } from '../errors.ts'
import { listenToEvents } from '../listen/listen-to-events.ts'
import { createReport } from '../listen/report.ts'
import type { RegisterVerbs } from '../verb.ts'
import { parseEventTypes, parseHttpUrl, parseSince, parseWebhookSecret } from '../arguments.ts'

interface Options {
  forwardTo: URL
  events?: EventType[]
  since?: Date
  secret?: string
  api?: URL
  key?: string
}

/** `listen`: forwards an account's events to a local server until Ctrl-C. Uses only the API. */
export const listen: RegisterVerbs = (program, run) => {
  program
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
      new Option(
        '--secret <whsec>',
        'signing secret (default: a new one, printed at the start)',
      ).argParser(parseWebhookSecret),
    )
    .addOption(
      new Option('--api <url>', 'address of the API (default: the running instance)').argParser(
        parseHttpUrl,
      ),
    )
    .option('--key <key>', 'API key with the scope webhooks:read (default: REELGATE_API_KEY)')
    .action(run(forwardEvents))
}

async function forwardEvents(context: Context, options: Options): Promise<void> {
  const report = createReport(context.out)
  const { forwardTo, events: types, since, secret } = options
  const access = { api: apiOf(context, options), apiKey: keyOf(context, options) }
  const signal = interruption()
  await listenToEvents({ ...access, forwardTo, types, since, secret, report, signal })
  report.summary()
}

function apiOf({ runtime, dataDir }: Context, { api }: Options): string {
  const address = api?.href ?? runtime?.api
  if (address !== undefined) return address.replace(/\/+$/, '')
  throw new CliError(`Nothing is running on ${dataDir}: give its address with --api <url>`, {
    code: 'instance_not_running',
    param: '--api',
  })
}

function keyOf({ config }: Context, { key }: Options): string {
  const apiKey = key ?? config.REELGATE_API_KEY
  if (apiKey !== undefined) return apiKey
  throw new CliError('Which account? Set REELGATE_API_KEY, or give --key <key>', {
    code: 'missing_api_key',
    param: '--key',
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
