import { Option } from 'commander'
import { requestReplay } from '../../commands/webhooks/replays.ts'
import { retryDelivery } from '../../commands/webhooks/retry-delivery.ts'
import { findAnyDelivery, listAnyDeliveries } from '../../db/accounts/operator.ts'
import type { EntityManager } from '../../db/database.ts'
import type { DeliveryStatus } from '../../db/entities/event.ts'
import { findDelivery } from '../../db/webhooks/webhook-deliveries.ts'
import { REPLAY_STATUSES, type ReplayStatus } from '../../domain/webhooks/webhook-delivery.ts'
import { operatorDeliveryView, operatorReplayView } from '../../views/operator/operator.ts'
import { accountFilter, accountOption, limitOption, parseId, parseSince } from '../arguments.ts'
import { audited } from '../audited.ts'
import type { Context } from '../context.ts'
import { CliError, describeRefusal } from '../errors.ts'
import { humaneTime, table } from '../output.ts'
import { requireAccount } from '../requirements.ts'
import type { RegisterVerbs } from '../verb.ts'

const STATUSES: readonly DeliveryStatus[] = ['pending', 'delivered', 'failed']

/** The verbs of `deliveries`. Retries and replays follow the rules of the API. */
export const deliveries: RegisterVerbs = (program, run) => {
  const noun = program
    .command('deliveries')
    .description('list, retry and replay webhook deliveries')
  noun
    .command('list')
    .description('list webhook deliveries with their attempts, newest first')
    .addOption(accountFilter())
    .addOption(new Option('--status <status>', 'only this status').choices(STATUSES))
    .addOption(limitOption())
    .action(run(list))
  noun
    .command('retry')
    .description(
      'send a webhook delivery now, outside its schedule; a completed one as a new delivery',
    )
    .argument('<delivery id>', 'id from deliveries list', parseId)
    .action(run(retry))
  noun
    .command('replay')
    .description('send the events of a range again, each as a new delivery')
    .addOption(accountOption())
    .requiredOption(
      '--since <time>',
      'events at or after this time; at most 90 days ago',
      parseSince,
    )
    .option('--until <time>', 'events before this time (default: now)', parseSince)
    .option('--endpoint <id>', 'only to this endpoint (default: every active one)', parseId)
    .addOption(
      new Option('--status <status>', 'which events are sent')
        .choices(REPLAY_STATUSES)
        .default('failed'),
    )
    .action(run(replay))
}

interface ListOptions {
  account?: number
  status?: DeliveryStatus
  limit: number
}

async function list(context: Context, { account, status, limit }: ListOptions): Promise<void> {
  const filter = { accountId: account, status }
  const rows = await listAnyDeliveries(await context.entityManager(), filter, limit)
  const records = rows.map(operatorDeliveryView)
  const headings = ['ID', 'ACCOUNT', 'EVENT', 'STATUS', 'RESPONSES', 'NEXT RETRY']
  const cells = records.map((delivery) => [
    String(delivery.id),
    String(delivery.account_id),
    delivery.event_type,
    delivery.status,
    delivery.attempts.map((a) => a.response_status ?? a.error_code ?? '?').join(', ') || '-',
    delivery.next_retry_at ? humaneTime(delivery.next_retry_at) : '-',
  ])
  context.out.print(records, table(headings, cells, 'No webhook deliveries.'))
}

async function retry(context: Context, _options: object, [argument]: string[]): Promise<void> {
  const id = Number(argument)
  const em = await context.entityManager()
  const sent = await audited(
    em,
    (tx) => retried(tx, id),
    ({ delivery: { accountId } }) => ({
      accountId,
      action: 'webhook_delivery.retry',
      subject: String(id),
      fields: [],
    }),
  )
  const record = operatorDeliveryView(sent)
  context.out.print(
    record,
    record.id === id
      ? `Delivery ${id} is sent now.`
      : `Delivery ${id} is complete: it is sent again as delivery ${record.id}.`,
  )
}

async function retried(em: EntityManager, id: number) {
  const requested = await findAnyDelivery(em, id)
  if (!requested) throw noDelivery(id)
  const { accountId, endpointId } = requested
  const sentId = await describeRefusal(retryDelivery(em, accountId, id), {
    webhook_delivery_not_found: noDelivery(id).message,
    webhook_endpoint_inactive: `The webhook endpoint ${endpointId} is switched off: set is_active to true first.`,
    too_many_webhook_retries: `Delivery ${id} was retried manually 20 times; its schedule continues.`,
  })
  const sent = await findDelivery(em, accountId, sentId)
  if (!sent) throw noDelivery(id)
  return sent
}

const noDelivery = (id: number): CliError =>
  new CliError(`There is no webhook delivery ${id}.`, { code: 'webhook_delivery_not_found' })

interface ReplayOptions {
  account: number
  since: Date
  until?: Date
  endpoint?: number
  status: ReplayStatus
}

async function replay(context: Context, options: ReplayOptions): Promise<void> {
  const { account, since, until, endpoint, status } = options
  const em = await context.entityManager()
  await requireAccount(em, account)
  const request = { accountId: account, endpointId: endpoint, since, until, status }
  const made = audited(
    em,
    async (tx) => operatorReplayView(await requestReplay(tx, request)),
    (after) => ({
      accountId: account,
      action: 'webhook_replay.create',
      subject: String(after.id),
      after,
      fields: REPLAY_FIELDS,
    }),
  )
  const record = await describeRefusal(made, {
    invalid_parameter: 'The range is empty: --since must be before --until and in the past.',
    webhook_endpoint_not_found: 'The account has no such webhook endpoint.',
  })
  const text = `Replay ${record.id} checks ${record.event_count} events and sends those that are ${status}.`
  context.out.print(record, text)
}

const REPLAY_FIELDS = ['endpoint_id', 'since', 'until', 'status', 'event_count']
