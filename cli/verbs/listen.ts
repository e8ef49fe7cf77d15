import { Option } from 'commander'
import type { EventType } from '../../domain/webhooks/events.ts'
import { addApiOptions, interruption, readApiAccess, type ApiOptions } from '../api-access.ts'
import { parseEventTypes, parseHttpUrl, parseSince } from '../arguments.ts'
import type { Context } from '../context.ts'
import { listenToEvents } from '../listen/listen-to-events.ts'
import { createReport } from '../listen/report.ts'
import { addSecretOptions, readWebhookSecret } from '../secret-option.ts'
import type { RegisterVerbs } from '../verb.ts'

interface Options extends ApiOptions {
  forwardTo: URL
  events?: EventType[]
  since?: Date
  secret?: string
  secretFile?: string
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
    .action(run(forwardEvents))
  addSecretOptions(command, {
    name: 'secret',
    description: 'signing secret (default: a new one, printed at the start)',
    variable: 'REELGATE_WEBHOOK_SECRET',
  })
  addApiOptions(command, 'webhooks:read')
}

async function forwardEvents(context: Context, options: Options): Promise<void> {
  const report = createReport(context.out)
  const { forwardTo, events: types, since } = options
  const secret = await readWebhookSecret(context, options)
  const access = await readApiAccess(context, options)
  const signal = interruption()
  await listenToEvents({ ...access, forwardTo, types, since, secret, report, signal })
  report.summary()
}
