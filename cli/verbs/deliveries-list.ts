import { Option } from 'commander'
import { WebhookAttempt, WebhookDelivery } from '../../db/entities/event.ts'
import type { DeliveryStatus } from '../../db/entities/event.ts'
import { accountFilter, limitOption } from '../arguments.ts'
import { humaneTime, table } from '../output.ts'
import type { RegisterVerb } from '../verb.ts'
import { viewDelivery } from '../views.ts'

interface Options {
  account?: number
  status?: DeliveryStatus
  limit: number
}

const STATUSES: readonly DeliveryStatus[] = ['pending', 'delivered', 'failed']

/** `deliveries list`: webhook deliveries with their attempts, the newest first. */
export const deliveriesList: RegisterVerb = (noun, run) => {
  noun
    .command('list')
    .description('list webhook deliveries with their attempts, newest first')
    .addOption(accountFilter())
    .addOption(new Option('--status <status>', 'only this status').choices(STATUSES))
    .addOption(limitOption())
    .action(
      run<Options>(async (context, { account, status, limit }) => {
        const em = await context.entityManager()
        const where = {
          ...(account !== undefined && { accountId: account }),
          ...(status !== undefined && { status }),
        }
        const deliveries = await em.find(WebhookDelivery, where, { orderBy: { id: 'desc' }, limit })
        const attempts = await em.find(
          WebhookAttempt,
          { deliveryId: { $in: deliveries.map(({ id }) => id) } },
          { orderBy: { deliveryId: 'asc', number: 'asc' } },
        )
        const byDelivery = Map.groupBy(attempts, ({ deliveryId }) => deliveryId)
        const records = deliveries.map((row) => viewDelivery(row, byDelivery.get(row.id) ?? []))
        context.out.print(records, deliveriesTable(records))
      }),
    )
}

function deliveriesTable(deliveries: ReturnType<typeof viewDelivery>[]): string {
  const rows = deliveries.map((delivery) => [
    String(delivery.id),
    String(delivery.account_id),
    delivery.event_type,
    delivery.status,
    delivery.attempts.map((a) => a.response_status ?? a.error_code ?? '?').join(', ') || '-',
    delivery.next_retry_at ? humaneTime(delivery.next_retry_at) : '-',
  ])
  const headings = ['ID', 'ACCOUNT', 'EVENT', 'STATUS', 'ANSWERS', 'NEXT RETRY']
  return table(headings, rows, 'There are no webhook deliveries.')
}
