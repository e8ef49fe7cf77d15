import { atPath, toInit, unwrap, type CallOptions, type CreateOptions, type Http } from '../http.ts'
import { everyItem, PAGE_LIMIT_MAX } from '../pagination.ts'
import type { Body, Filters, Query, WebhookReplay, WebhookReplayList } from '../types.ts'

/** Calls for webhook replays; each throws ReelgateError. */
export function webhookReplaysOf(http: Http) {
  const replays = {
    /** Sends the events of a time range again. */
    create: (
      body: Body<'createWebhookReplay'>,
      options: CreateOptions = {},
    ): Promise<WebhookReplay> =>
      unwrap<'createWebhookReplay'>(http.POST('/v1/webhook-replays', { body, ...toInit(options) })),

    /** One page, newest first. */
    list: (
      query: Query<'listWebhookReplays'> = {},
      options: CallOptions = {},
    ): Promise<WebhookReplayList> =>
      unwrap<'listWebhookReplays'>(
        http.GET('/v1/webhook-replays', { params: { query }, ...toInit(options) }),
      ),

    /** Every replay, newest first, page by page. */
    listAll: (
      query: Filters<'listWebhookReplays'> = {},
      options: CallOptions = {},
    ): AsyncGenerator<WebhookReplay, void, undefined> =>
      everyItem<WebhookReplay>((cursor) =>
        replays.list({ limit: PAGE_LIMIT_MAX, ...query, ...cursor }, options),
      ),

    /** Returns one replay with its progress. */
    get: (id: number, options: CallOptions = {}): Promise<WebhookReplay> =>
      unwrap<'getWebhookReplay'>(http.GET('/v1/webhook-replays/{id}', atPath({ id }, options))),

    /** Stops a replay; its existing deliveries continue. */
    cancel: (id: number, options: CreateOptions = {}): Promise<WebhookReplay> =>
      unwrap<'cancelWebhookReplay'>(
        http.POST('/v1/webhook-replays/{id}/cancel', atPath({ id }, options)),
      ),
  }
  return replays
}
