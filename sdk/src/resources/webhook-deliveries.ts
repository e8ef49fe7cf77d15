import { atPath, toInit, unwrap, type CallOptions, type CreateOptions, type Http } from '../http.ts'
import { everyItem, PAGE_LIMIT_MAX } from '../pagination.ts'
import type { Filters, Query, WebhookDelivery, WebhookDeliveryList } from '../types.ts'

/** Calls for webhook deliveries; each throws ReelgateError. */
export function webhookDeliveriesOf(http: Http) {
  const deliveries = {
    /** One page, newest first. */
    list: (
      query: Query<'listWebhookDeliveries'> = {},
      options: CallOptions = {},
    ): Promise<WebhookDeliveryList> =>
      unwrap<'listWebhookDeliveries'>(
        http.GET('/v1/webhook-deliveries', { params: { query }, ...toInit(options) }),
      ),

    /** Every delivery, newest first, page by page. */
    listAll: (
      query: Filters<'listWebhookDeliveries'> = {},
      options: CallOptions = {},
    ): AsyncGenerator<WebhookDelivery, void, undefined> =>
      everyItem<WebhookDelivery>((cursor) =>
        deliveries.list({ limit: PAGE_LIMIT_MAX, ...query, ...cursor }, options),
      ),

    /** Returns one delivery with its attempts. */
    get: (id: number, options: CallOptions = {}): Promise<WebhookDelivery> =>
      unwrap<'getWebhookDelivery'>(
        http.GET('/v1/webhook-deliveries/{id}', atPath({ id }, options)),
      ),

    /** Sends a waiting delivery now; sends the event of an ended one as a new delivery. */
    retry: (id: number, options: CreateOptions = {}): Promise<WebhookDelivery> =>
      unwrap<'retryWebhookDelivery'>(
        http.POST('/v1/webhook-deliveries/{id}/retry', atPath({ id }, options)),
      ),
  }
  return deliveries
}
