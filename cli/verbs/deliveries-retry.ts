import type { EntityManager } from '../../db/database.ts'
import { WebhookDelivery } from '../../db/entities/event.ts'
import { findDelivery } from '../../db/webhook-deliveries.ts'
import { retryDelivery } from '../../commands/webhooks/retry-delivery.ts'
import { parseId } from '../arguments.ts'
import { CliError } from '../errors.ts'
import type { RegisterVerb } from '../verb.ts'
import { viewDelivery } from '../views.ts'

/** `deliveries retry ID`: sends a webhook delivery now, by the rules of POST …/retry. */
export const deliveriesRetry: RegisterVerb = (noun, run) => {
  noun
    .command('retry')
    .description(
      'send a webhook delivery now, beside its schedule; one that has ended as a new one',
    )
    .argument('<delivery id>', 'as deliveries list shows it', parseId)
    .action(
      run(async (context, _options, [argument]) => {
        const id = Number(argument)
        const em = await context.entityManager()
        const record = await em.transactional((tx) => retry(tx, id))
        context.out.print(
          record,
          record.id === id
            ? `Delivery ${id} is sent now.`
            : `Delivery ${id} has ended: it is sent again as delivery ${record.id}.`,
        )
      }),
    )
}

async function retry(em: EntityManager, id: number) {
  const asked = await em.findOne(WebhookDelivery, { id })
  if (!asked) throw noDelivery(id)
  const { accountId, endpointId } = asked
  const sentId = await retryDelivery(em, accountId, id)
  if (sentId === 'inactive')
    throw new CliError(
      `The webhook endpoint ${endpointId} is switched off: set is_active to true first.`,
      { code: 'webhook_endpoint_inactive' },
    )
  if (sentId === 'too_many')
    throw new CliError(`Delivery ${id} was retried by hand 20 times; its schedule goes on.`, {
      code: 'too_many_webhook_retries',
    })
  const sent = sentId === 'not_found' ? null : await findDelivery(em, accountId, sentId)
  if (!sent) throw noDelivery(id)
  return viewDelivery(sent.delivery, sent.attempts)
}

const noDelivery = (id: number): CliError =>
  new CliError(`There is no webhook delivery ${id}.`, { code: 'webhook_delivery_not_found' })
