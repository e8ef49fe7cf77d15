import { Router } from 'express'
import { findDelivery, listDeliveries } from '../../db/webhook-deliveries.ts'
import { parseRowId } from '../../domain/row-id.ts'
import { ApiError } from '../api-error.ts'
import type { ApiDeps } from '../deps.ts'
import { accountIdOf, requireScope } from '../middleware/authenticate.ts'
import { allowOnly } from '../middleware/methods.ts'
import { parse } from '../middleware/validate.ts'
import { listDeliveriesQuery } from './schemas.ts'
import { deliveryView } from './view.ts'

/** /v1/webhook-deliveries: list and read, each with its attempts. */
export function webhookDeliveriesRouter(deps: ApiDeps): Router {
  const router = Router({ caseSensitive: true })
  const read = requireScope(deps, 'webhooks:read')

  router
    .route('/')
    .get(read, async (request, response) => {
      const query = parse(listDeliveriesQuery, request.query)
      const { rows, hasMore } = await listDeliveries(
        deps.db.em.fork(),
        {
          accountId: accountIdOf(response),
          status: query.status,
          endpointId: query.endpoint_id,
          eventId: query.event_id,
        },
        {
          limit: query.limit,
          startingAfter: query.starting_after,
          endingBefore: query.ending_before,
        },
      )
      response.json({
        object: 'list',
        data: rows.map(deliveryView),
        has_more: hasMore,
        url: '/v1/webhook-deliveries',
      })
    })
    .all(allowOnly('GET'))

  router
    .route('/:id')
    .get(read, async (request, response) => {
      const id = parseRowId(request.params.id)
      const em = deps.db.em.fork()
      const found = id === null ? null : await findDelivery(em, accountIdOf(response), id)
      if (!found) throw new ApiError('webhook_delivery_not_found')
      response.json(deliveryView(found))
    })
    .all(allowOnly('GET'))

  return router
}
