import { InvalidArgumentError, Option } from 'commander'
import { WEBHOOK_DEADLINE_MS } from '../../domain/limits.ts'
import type { EventType } from '../../domain/webhooks/events.ts'
import { httpUrlOf, parseEventTypes } from '../arguments.ts'
import { CliError, UsageError } from '../errors.ts'
import { addSecretOptions, readWebhookSecret } from '../secret-option.ts'
import type { RegisterVerbs } from '../verb.ts'
import { SENT_EVENT_TYPES } from '../verify-receiver/kit.ts'
import { gradeOf, GRADES, reportOf } from '../verify-receiver/report.ts'
import { verifyReceiver, type Result } from '../verify-receiver/verify-receiver.ts'

interface Options {
  secret?: string
  secretFile?: string
  events: EventType[]
  timeoutSeconds: number
}

const SLOW_MS = 5_000
const PIECE_WAIT_MS = 1_000

/** `verify-receiver`: grades a webhook receiver. Exit status 1 if it breaks the contract. */
export const verifyReceiverVerb: RegisterVerbs = (program, run) => {
  const command = program
    .command('verify-receiver <url>')
    .description('test a webhook receiver with valid, stale, repeated and forged deliveries')
  addSecretOptions(command, {
    name: 'secret',
    description: 'signing secret of the endpoint, whsec_…',
    variable: 'REELGATE_WEBHOOK_SECRET',
  })
  command
    .addOption(
      new Option('--events <types>', 'event types that it handles, separated by commas')
        .argParser(parseTypes)
        .default(SENT_EVENT_TYPES, 'all'),
    )
    .option(
      '--timeout-seconds <n>',
      'time limit for each response',
      parseTimeoutSeconds,
      WEBHOOK_DEADLINE_MS / 1000,
    )
    .addHelpText('after', `\nGrades:\n${GRADES}`)
    .action(
      run<Options>(async (context, options, [address = '']) => {
        const { events, timeoutSeconds } = options
        const url = parseUrl(address)
        const secret = await readWebhookSecret(context, options)
        if (secret === undefined)
          throw new UsageError(
            'Which secret? Set REELGATE_WEBHOOK_SECRET, or give --secret-file <file>',
            { param: '--secret-file' },
          )
        const timeoutMs = timeoutSeconds * 1000
        const limits = { timeoutMs, slowMs: SLOW_MS, pieceWaitMs: PIECE_WAIT_MS }
        const results = await verifyReceiver({ url, secret, types: events, limits })
        const broken = results.filter((one) => one.status === 'failed' && one.severity === 'must')
        const place = url.origin + url.pathname
        const record = { url: place, grade: gradeOf(results), ok: broken.length === 0 }
        context.out.print({ ...record, checks: results.map(recordOf) }, reportOf(results, place))
        if (broken.length > 0)
          throw new CliError(`It breaks the contract: ${broken.map(({ id }) => id).join(', ')}.`, {
            code: 'checks_failed',
          })
      }),
    )
}

const recordOf = ({ id, severity, status, title, expected, got, note, hint }: Result) => ({
  id,
  severity,
  status,
  title,
  expected,
  got,
  note: note ?? null,
  hint,
})

function parseUrl(text: string): URL {
  const url = httpUrlOf(text)
  if (url) return url
  throw new UsageError('The URL must begin with http:// or https://, without a user name.', {
    param: 'url',
  })
}

/** Always includes `webhook.test`, which every endpoint receives. */
const parseTypes = (text: string): EventType[] => [
  ...new Set([...parseEventTypes(text), 'webhook.test' as const]),
]

const TIMEOUT_MAX_SECONDS = 120

function parseTimeoutSeconds(text: string): number {
  const seconds = Number(text)
  if (!/^\d+$/.test(text) || seconds < 1 || seconds > TIMEOUT_MAX_SECONDS)
    throw new InvalidArgumentError(`It must be 1 to ${TIMEOUT_MAX_SECONDS}.`)
  return seconds
}
