import { deliveryFilter, listDeliveriesQuery } from '../../../api/webhook-deliveries/schemas.ts'
import { listDeliverySummaries } from '../../../db/webhooks/webhook-deliveries.ts'
import { toPage } from '../../../http/list.ts'
import { operation } from '../../../http/operation.ts'
import { listView } from '../../../views/list.ts'
import {
  deliverySummaryListSchema,
  deliverySummaryView,
} from '../../../views/webhooks/webhook-delivery.ts'

const url = '/webhook-deliveries'

const list = operation({
  id: 'listDeliverySummaries',
  method: 'get',
  path: url,
  tag: 'Webhooks',
  summary: 'List webhook deliveries with their last response, newest first',
  description:
    'In place of the list of the API, whose attempts carry up to 16 KiB of each response: the dashboard asks for it again and again.',
  scope: 'webhooks:read',
  query: listDeliveriesQuery,
  status: 200,
  response: deliverySummaryListSchema,
  async handle({ deps, accountId, query }) {
    const filter = deliveryFilter(accountId, query)
    const page = await listDeliverySummaries(deps.db.em.fork(), filter, query, toPage(query))
    return listView(page, deliverySummaryView, url)
  },
})

export const deliveryOperations = [list]
