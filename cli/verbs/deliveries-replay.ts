import { Option } from 'commander'
import type { ReplayStatus } from '../../domain/webhook-replay.ts'
import { REPLAY_STATUSES } from '../../domain/webhook-replay.ts'
import { requestReplay } from '../../commands/webhooks/request-replay.ts'
import type { ReplayRefusal } from '../../commands/webhooks/request-replay.ts'
import { accountOption, parseId } from '../arguments.ts'
import { CliError, UsageError } from '../errors.ts'
import { requireAccount } from '../records.ts'
import type { RegisterVerb } from '../verb.ts'
import { viewReplay } from '../views.ts'
import { parseSince } from '../webhook-options.ts'

interface Options {
  account: number
  since: Date
  until?: Date
  endpoint?: number
  status: ReplayStatus
}

/** `deliveries replay`: sends the events of a range again, by the rules of POST /v1/webhook-replays. */
export const deliveriesReplay: RegisterVerb = (noun, run) => {
  noun
    .command('replay')
    .description('send the events of a range again, each as a new delivery')
    .addOption(accountOption())
    .requiredOption('--since <time>', 'events from then on; at most 90 days back', parseSince)
    .option('--until <time>', 'events before then (default: now)', parseSince)
    .option('--endpoint <id>', 'to this endpoint alone (default: every active one)', parseId)
    .addOption(
      new Option('--status <status>', 'which events are sent')
        .choices(REPLAY_STATUSES)
        .default('failed'),
    )
    .action(
      run<Options>(async (context, { account, since, until, endpoint, status }) => {
        const em = await context.entityManager()
        await requireAccount(em, account)
        const made = await em.transactional(async (tx) => {
          const request = { accountId: account, endpointId: endpoint, since, until, status }
          const result = await requestReplay(tx, request)
          if (result === 'empty_range') throw new UsageError(REFUSALS[result])
          if (typeof result === 'string') throw new CliError(REFUSALS[result], { code: result })
          return result
        })
        const { id, eventCount } = made.replay
        context.out.print(
          viewReplay(made),
          `Replay ${id} looks through ${eventCount} events for what is ${status}.`,
        )
      }),
    )
}

const REFUSALS: Record<ReplayRefusal, string> = {
  empty_range: 'The range is empty: --since must lie before --until, and before now.',
  webhook_endpoint_not_found: 'The account has no such webhook endpoint.',
  webhook_endpoint_inactive: 'The webhook endpoint is switched off: set is_active to true first.',
  webhook_replay_running: 'A replay of this account is still running.',
}
